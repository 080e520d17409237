import { nameBar } from '../../elements/chart-scales.js';
import { BAR_MS, timeOfKey } from '../usage/usage-periods.js';

const periods = {
  hour: { name: 'Last hour', ms: 3_600_000 },
  day: { name: 'Last 24 hours', ms: 86_400_000 },
  week: { name: 'Last 7 days', ms: 7 * 86_400_000 },
  month: { name: 'Last 30 days', ms: 30 * 86_400_000 },
} as const;

const BAR = /^\d{4}-\d\d-\d\d(T\d\d(:\d\d)?)?$/;

/** The minute, hour or day of a bar of a chart, by its key in UTC; null: another text. */
function barOf(period: string): { readonly from: number; readonly ms: number } | null {
  const [, hour, minute] = BAR.exec(period) ?? [];
  const from = BAR.test(period) ? timeOfKey(period) : NaN;
  if (Number.isNaN(from)) return null;
  return { from, ms: BAR_MS[minute ? 'minute' : hour ? 'hour' : 'day'] };
}

/**
 * The filters of a list for its period, as it stands in an address: a time until now, or a bar of a chart.
 * Others filter nothing.
 */
export function filtersOfPeriod(
  period: string | undefined,
  now: number,
): { readonly from?: number; readonly to?: number } {
  if (period === undefined) return {};
  if (Object.hasOwn(periods, period)) {
    return { from: now - periods[period as keyof typeof periods].ms };
  }
  const bar = barOf(period);
  return bar === null ? {} : { from: bar.from, to: bar.from + bar.ms - 1 };
}

/** The periods to choose from, with the one that is chosen. */
export function periodOptions(chosen = ''): Readonly<Record<string, string>> {
  const known = Object.entries(periods).map(([key, { name }]) => [key, name] as const);
  const bar = barOf(chosen);
  const options: Record<string, string> = { '': 'All time', ...Object.fromEntries(known) };
  if (bar !== null) {
    options[chosen] = nameBar(bar.from, [bar.from, bar.from + bar.ms], bar.ms === BAR_MS.day);
  }
  return options;
}
