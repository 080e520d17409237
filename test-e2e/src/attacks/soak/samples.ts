import { percentile } from '@forecourt/testing/figures';

/** Samples of honest clients in one phase. */
export class Samples {
  readonly #latenciesMs: number[] = [];
  readonly #failed = new Map<string, number>();

  succeeded(latencyMs: number): void {
    this.#latenciesMs.push(latencyMs);
  }

  failedBecause(reason: string): void {
    this.#failed.set(reason, (this.#failed.get(reason) ?? 0) + 1);
  }

  summary(): SampleSummary {
    const failures = [...this.#failed.values()].reduce((sum, count) => sum + count, 0);
    const successes = this.#latenciesMs.length;
    return {
      successes,
      failures,
      successRate: successes + failures === 0 ? 0 : successes / (successes + failures),
      p50Ms: this.percentileMs(0.5),
      p99Ms: this.percentileMs(0.99),
      reasons: Object.fromEntries([...this.#failed].sort()),
    };
  }

  private percentileMs(share: number): number {
    return Math.round(percentile(this.#latenciesMs, share) * 10) / 10;
  }
}

export interface SampleSummary {
  readonly successes: number;
  readonly failures: number;
  /** 0 to 1; 0 without attempts. */
  readonly successRate: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Reason of failed requests → count. */
  readonly reasons: Readonly<Record<string, number>>;
}
