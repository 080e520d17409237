/** The times that the page offers, and what has a bar each. */
export const usagePeriods = {
  day: { name: '24 hours', bar: 'hour', ms: 86_400_000 },
  week: { name: '7 days', bar: 'day', ms: 7 * 86_400_000 },
  month: { name: '30 days', bar: 'day', ms: 30 * 86_400_000 },
  quarter: { name: '90 days', bar: 'day', ms: 90 * 86_400_000 },
} as const;

export type UsagePeriod = keyof typeof usagePeriods;

export const BAR_MS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;

/** A time that ends now, and what has a bar each. */
export interface Period {
  readonly bar: keyof typeof BAR_MS;
  readonly ms: number;
}

/**
 * A key of `GET /v1/usage`, `2026-11-25`, `2026-11-25T13` or `2026-11-25T13:05` in UTC, as milliseconds since
 * 1970.
 */
export function timeOfKey(key: string): number {
  return Date.parse(`${key}${'0000-00-00T00:00:00'.slice(key.length)}Z`);
}

/** The key of the minute, hour or day that begins then. */
export function keyOfTime(time: number, bar: keyof typeof BAR_MS): string {
  return new Date(time).toISOString().slice(0, { minute: 16, hour: 13, day: 10 }[bar]);
}

/** The beginnings of all bars between two times, so that a time without a transaction shows as zero. */
export function barsBetween(from: number, to: number, bar: keyof typeof BAR_MS): number[] {
  const step = BAR_MS[bar];
  const first = Math.floor(from / step) * step;
  return Array.from(
    { length: Math.floor((to - first) / step) + 1 },
    (_, index) => first + index * step,
  );
}

/** The beginning of a period, at the beginning of a bar. */
export function beginOf({ bar, ms }: Period, now: number): number {
  return Math.floor((now - ms) / BAR_MS[bar] + 1) * BAR_MS[bar];
}
