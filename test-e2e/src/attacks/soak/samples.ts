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
    const sorted = this.#latenciesMs.toSorted((one, other) => one - other);
    return {
      successes,
      failures,
      successRate: successes + failures === 0 ? 0 : successes / (successes + failures),
      p50Ms: percentile(sorted, 0.5),
      p99Ms: percentile(sorted, 0.99),
      reasons: Object.fromEntries([...this.#failed].sort()),
    };
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

function percentile(sorted: readonly number[], share: number): number {
  if (sorted.length === 0) return 0;
  return Math.round(sorted[Math.ceil(share * sorted.length) - 1]! * 10) / 10;
}
