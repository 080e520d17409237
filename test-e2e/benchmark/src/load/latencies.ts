import { percentile } from '@forecourt/testing/figures';
import type { LoadResult } from './load-task.js';

const SHOWN = 3;

/** Starts to record the durations of requests. */
export class Latencies {
  readonly #times: number[] = [];
  readonly #failed: string[] = [];
  readonly #startedAt = performance.now();
  readonly #cpuBefore = process.cpuUsage();

  add(ms: number): void {
    this.#times.push(ms);
  }

  fail(what: string): void {
    this.#failed.push(what);
  }

  result(): LoadResult {
    const seconds = (performance.now() - this.#startedAt) / 1_000;
    const { user, system } = process.cpuUsage(this.#cpuBefore);
    return {
      done: this.#times.length,
      seconds,
      perSecond: this.#times.length / seconds,
      p50: percentile(this.#times, 0.5),
      p99: percentile(this.#times, 0.99),
      failures: { count: this.#failed.length, first: this.#failed.slice(0, SHOWN) },
      clientSeconds: (user + system) / 1e6,
    };
  }
}
