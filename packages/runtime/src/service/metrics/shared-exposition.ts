import type { Metrics } from '../../metrics/index.js';

/** So many readings one after the other, and one each second in the long run; in between, the last one is served again. */
const BURST = 10;
const PER_SECOND = 1;

export interface ExposedMetrics {
  readonly contentType: string;
  readonly body: Buffer;
}

/** Reads the metrics once for all clients that ask at the same time, so that many requests cost little more than one. */
export class SharedExposition {
  #reading: Promise<ExposedMetrics> | null = null;
  #last: ExposedMetrics | null = null;
  #readingsLeft = BURST;
  #at = performance.now();

  constructor(private readonly metrics: Pick<Metrics, 'expose'>) {}

  async read(): Promise<ExposedMetrics> {
    if (this.#reading !== null) return this.#reading;
    this.refill();
    if (this.#readingsLeft < 1 && this.#last !== null) return this.#last;
    this.#readingsLeft -= 1;
    this.#reading = this.readOnce();
    return this.#reading;
  }

  private refill(): void {
    const now = performance.now();
    const gained = ((now - this.#at) * PER_SECOND) / 1_000;
    this.#readingsLeft = Math.min(BURST, this.#readingsLeft + gained);
    this.#at = now;
  }

  private async readOnce(): Promise<ExposedMetrics> {
    try {
      const { contentType, text } = await this.metrics.expose();
      this.#last = { contentType, body: Buffer.from(text) };
      return this.#last;
    } finally {
      this.#reading = null;
    }
  }
}
