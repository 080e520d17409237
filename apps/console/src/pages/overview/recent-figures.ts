import type { LatencySummary, UsageSummary } from '../../api/gateway-types.js';
import { barsBetween, timeOfKey } from '../usage/usage-periods.js';

/** Numbers of transactions over time. */
export interface Activity {
  readonly times: readonly number[];
  readonly succeeded: readonly number[];
  readonly failed: readonly number[];
  readonly refused: readonly number[];
}

/** A time by minute, hour or day, from its usage. */
export function activityOfUsage(
  report: UsageSummary,
  bar: 'minute' | 'hour' | 'day',
  now: number,
): Activity {
  const times = barsBetween(report.from, Math.min(report.to, now), bar);
  const rows = new Map(report.rows.map((row) => [timeOfKey(row[bar] ?? ''), row]));
  const pick = (read: (row: UsageSummary['rows'][number]) => number) =>
    times.map((at) => {
      const row = rows.get(at);
      return row === undefined ? 0 : read(row);
    });
  return {
    times,
    succeeded: pick(({ transactions, failed }) => transactions - failed),
    failed: pick(({ failed }) => failed),
    refused: pick(({ refused }) => refused),
  };
}

/** Milliseconds over time; null where no transaction was executed. */
export interface Durations {
  readonly times: readonly number[];
  readonly median: readonly (number | null)[];
  readonly slowest: readonly (number | null)[];
  readonly queued: readonly (number | null)[];
}

/** The durations of a report, also of the minutes, hours or days without a transaction. */
export function durationsOf({ from, to, by, rows }: LatencySummary, now: number): Durations {
  const times = barsBetween(from, Math.min(to, now), by);
  const found = new Map(rows.map((row) => [row.at, row]));
  const pick = (read: (row: LatencySummary['rows'][number]) => number | undefined) =>
    times.map((at) => {
      const row = found.get(at);
      return (row && read(row)) ?? null;
    });
  return {
    times,
    median: pick(({ latency_ms: latency }) => latency?.p50),
    slowest: pick(({ latency_ms: latency }) => latency?.p99),
    queued: pick(({ queue_ms: queue }) => queue?.p99),
  };
}

/** How often each code was answered, the most frequent first. */
export function countCodes(
  refusals: readonly { readonly code: string }[],
): [code: string, count: number][] {
  const counts = new Map<string, number>();
  for (const { code } of refusals) counts.set(code, (counts.get(code) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a);
}
