import { percentile } from '../row.js';

/** Figures of a stretch of load. Times in ms. */
export interface LoadResult {
  readonly done: number;
  readonly seconds: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** The first few failed requests, and the number of all. */
  readonly failures: { readonly count: number; readonly first: readonly string[] };
  /** Processor time of the client itself. */
  readonly clientSeconds: number;
}

const SHOWN = 3;

/** Starts to record the durations of requests. */
export class Latencies {
  private readonly times: number[] = [];
  private readonly failed: string[] = [];
  private readonly startedAt = performance.now();
  private readonly cpuBefore = process.cpuUsage();

  add(ms: number): void {
    this.times.push(ms);
  }

  fail(what: string): void {
    this.failed.push(what);
  }

  result(): LoadResult {
    const seconds = (performance.now() - this.startedAt) / 1_000;
    const { user, system } = process.cpuUsage(this.cpuBefore);
    return {
      done: this.times.length,
      seconds,
      perSecond: this.times.length / seconds,
      p50: percentile(this.times, 0.5),
      p99: percentile(this.times, 0.99),
      failures: { count: this.failed.length, first: this.failed.slice(0, SHOWN) },
      clientSeconds: (user + system) / 1e6,
    };
  }
}
