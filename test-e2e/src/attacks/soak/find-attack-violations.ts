import type { HonestPhase } from './honest-samples.js';

/** The success rate that honest clients must reach. */
const LEAST_SUCCESS_RATE = 0.99;
export const MOST_P99_RATIO = 2;

export interface Seen {
  readonly quiet: HonestPhase;
  readonly attacked: HonestPhase;
  readonly wealthDecrease: bigint;
  readonly counted: bigint;
  /** The fault of the honest subscription; null: none. */
  readonly subscription: string | null;
  /** Services that ended or do not answer. */
  readonly ended: readonly string[];
  /** Faults that were found while the pool settled. */
  readonly settled: readonly string[];
  readonly audit: { readonly exitCode: number | null; readonly output: string };
}

/** Every violation except those of latency, which depends on the load of the machine. */
export function findAttackViolations(seen: Seen): string[] {
  const { quiet, attacked, wealthDecrease, counted } = seen;
  const violations: string[] = [];
  for (const [phase, honest] of [
    ['quiet', quiet],
    ['under attack', attacked],
  ] as const) {
    for (const kind of ['sponsoring', 'queries'] as const) {
      const { successRate } = honest[kind];
      if (successRate > LEAST_SUCCESS_RATE) continue;
      violations.push(
        `honest ${kind}, ${phase}: ${(100 * successRate).toFixed(2)} % succeeded, ` +
          `not more than ${100 * LEAST_SUCCESS_RATE} %`,
      );
    }
  }
  if (wealthDecrease > counted) {
    violations.push(`the sponsor is worth ${wealthDecrease} less, but ${counted} was counted`);
  }
  if (seen.subscription !== null) violations.push(seen.subscription);
  violations.push(...seen.ended.map((name) => `${name} ended or does not answer`), ...seen.settled);
  if (seen.audit.exitCode !== 0) violations.push(`the audit differs: ${seen.audit.output.trim()}`);
  return violations;
}

/**
 * Ratio of the honest clients' p99 under attack to the quiet one; only long runs require at most
 * `MOST_P99_RATIO`.
 */
export function p99Ratio(quiet: HonestPhase, attacked: HonestPhase, kind: keyof HonestPhase) {
  const usual = quiet[kind].p99Ms;
  return usual === 0 ? Infinity : attacked[kind].p99Ms / usual;
}
