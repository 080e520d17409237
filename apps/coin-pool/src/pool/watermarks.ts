import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';

/** A process's memory of one pool. */
interface Remembered {
  watermark: number;
  /** Other witnesses that it knows of. */
  others: readonly string[];
}

/**
 * This process's memory of its pools, outside Redis: the number of times that coins were bound to be signed for,
 * and the other coin-pools at work. This detects a Redis restored from older data.
 */
@Injectable()
export class Watermarks {
  /** Names this process among the witnesses. */
  readonly witness: string = randomUUID();
  readonly #pools = new Map<string, Remembered>();

  /** Null before the first look at the pool. */
  recall(sponsor: string): Readonly<Remembered> | null {
    return this.#pools.get(sponsor) ?? null;
  }

  /** Remembers a watermark that Redis has confirmed; ignores a lower one than before. */
  remember(sponsor: string, watermark: number, others?: readonly string[]): void {
    const known = this.#pools.get(sponsor);
    this.#pools.set(sponsor, {
      watermark: Math.max(watermark, known?.watermark ?? 0),
      others: others ?? known?.others ?? [],
    });
  }
}
