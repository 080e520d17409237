import type { Period } from '../usage/usage-periods.js';

const SOON_MS = 5_000;
const SLOWLY_MS = 10_000;

/** The times that the overview offers, and how often its figures are read again. */
export const overviewPeriods = {
  hour: { bar: 'minute', ms: 3_600_000, refreshMs: SOON_MS },
  day: { bar: 'hour', ms: 86_400_000, refreshMs: SLOWLY_MS },
  month: { bar: 'day', ms: 30 * 86_400_000, refreshMs: SLOWLY_MS },
} as const satisfies Readonly<Record<string, Period & { readonly refreshMs: number }>>;

export type OverviewPeriod = keyof typeof overviewPeriods;

export const periodNames: Readonly<Record<OverviewPeriod, string>> = {
  hour: 'Hour',
  day: 'Day',
  month: 'Month',
};

/** The time before. */
export const timesBefore: Readonly<Record<OverviewPeriod, string>> = {
  hour: 'the hour before',
  day: 'the day before',
  month: 'the month before',
};

/** The times in words, after `the`. */
export const periodsInWords: Readonly<Record<OverviewPeriod, string>> = {
  hour: 'last hour',
  day: 'last 24 hours',
  month: 'last 30 days',
};
