import type { Metrics } from '../../metrics/index.js';

/** After reading the metrics, they are not read again for this multiple of the time it took, at most for `MOST_MS`. */
const REST_FACTOR = 4;
const MOST_MS = 500;

export interface ExposedMetrics {
  readonly contentType: string;
  readonly body: Buffer;
}

/** Reads the metrics once for all clients that ask at the same time, so that many requests cost no more than one. */
export class SharedExposition {
  #reading: Promise<ExposedMetrics> | null = null;

  constructor(private readonly metrics: Pick<Metrics, 'expose'>) {}

  read(): Promise<ExposedMetrics> {
    this.#reading ??= this.readOnce();
    return this.#reading;
  }

  private async readOnce(): Promise<ExposedMetrics> {
    const startedAt = performance.now();
    try {
      const { contentType, text } = await this.metrics.expose();
      return { contentType, body: Buffer.from(text) };
    } finally {
      const restMs = Math.min(MOST_MS, REST_FACTOR * (performance.now() - startedAt));
      setTimeout(() => (this.#reading = null), restMs).unref();
    }
  }
}
