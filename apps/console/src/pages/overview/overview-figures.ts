import type { LatencySummary, UsageSummary } from '../../generated/gateway-types.js';
import { coinsForChart } from '../../format/amounts.js';
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
    times.map((time) => {
      const row = rows.get(time);
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
  const rowsByTime = new Map(rows.map((row) => [row.at, row]));
  const pick = (read: (row: LatencySummary['rows'][number]) => number | undefined) =>
    times.map((time) => {
      const row = rowsByTime.get(time);
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
export function codesOfUsage({
  rows,
}: Pick<UsageSummary, 'rows'>): readonly (readonly [code: string, count: number])[] {
  return rows
    .map(({ code = '', refused }) => [code, refused] as const)
    .sort(([, a], [, b]) => b - a);
}

/** The figures of a time; null: there is none. */
export interface HeadFigures {
  readonly sponsored: number;
  /** Of what was sponsored, 0 to 1. */
  readonly successRate: number | null;
  readonly refused: number;
  /** In whole coins, for comparison. */
  readonly gas: number;
  readonly p50: number | null;
  readonly p99: number | null;
}

export function headFigures(
  { total }: Pick<UsageSummary, 'total'>,
  latency: Pick<LatencySummary, 'total'> | undefined,
): HeadFigures {
  const { transactions, failed, refused, gas } = total;
  const { p50 = null, p99 = null } = latency?.total.latency_ms ?? {};
  return {
    sponsored: transactions,
    successRate: transactions === 0 ? null : (transactions - failed) / transactions,
    refused,
    gas: coinsForChart(gas),
    p50,
    p99,
  };
}

/** A change from this factor on is written as one. */
const MANYFOLD = 10;

/**
 * How a figure differs from that of the time before: `+12 % on`, `−3 % on`, `×15 on`, `as`; null: one of them
 * does not exist.
 */
export function changeOf(now: number | null, before: number | null): string | null {
  if (now === null || before === null || (before === 0 && now !== 0)) return null;
  if (now === before) return 'as';
  const factor = now / before;
  if (factor >= MANYFOLD) return `×${Math.round(factor)} on`;
  return withSign(Math.round((factor - 1) * 100), ' % on', '±0 % on');
}

/** The same for rates, in points: `+0.4 points on`. */
export function changeOfRate(now: number | null, before: number | null): string | null {
  if (now === null || before === null) return null;
  if (now === before) return 'as';
  return withSign(Math.round((now - before) * 1_000) / 10, ' points on', '±0 points on');
}

function withSign(value: number, unit: string, none: string): string {
  if (value === 0) return none;
  return `${value < 0 ? '−' : '+'}${Math.abs(value)}${unit}`;
}
