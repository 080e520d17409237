import type { Period } from '../usage/usage-periods.js';

/** The times that the overview offers. */
export const activityPeriods = {
  hour: { bar: 'minute', ms: 3_600_000 },
  day: { bar: 'hour', ms: 86_400_000 },
  month: { bar: 'day', ms: 30 * 86_400_000 },
} as const satisfies Readonly<Record<string, Period>>;

export type ActivityPeriod = keyof typeof activityPeriods;

export const periodNames: Readonly<Record<ActivityPeriod, string>> = {
  hour: 'Hour',
  day: 'Day',
  month: 'Month',
};
