import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';

/** What a process remembers of one pool. */
interface Remembered {
  watermark: number;
  /** Other witnesses that it knows of. */
  others: readonly string[];
}

/**
 * What this process remembers of its pools, outside Redis: how many times coins were bound to be signed for, and which other
 * coin-pools are at work. With that a Redis that returns with older data is found out.
 */
@Injectable()
export class Watermarks {
  /** Names this process among the witnesses. */
  readonly witness: string = randomUUID();
  readonly #pools = new Map<string, Remembered>();

  /** Null before the pool was seen for the first time. */
  recall(sponsor: string): Readonly<Remembered> | null {
    return this.#pools.get(sponsor) ?? null;
  }

  /** Remembers a watermark that Redis has confirmed; a lower one than before changes nothing. */
  remember(sponsor: string, watermark: number, others?: readonly string[]): void {
    const known = this.#pools.get(sponsor);
    this.#pools.set(sponsor, {
      watermark: Math.max(watermark, known?.watermark ?? 0),
      others: others ?? known?.others ?? [],
    });
  }
}
