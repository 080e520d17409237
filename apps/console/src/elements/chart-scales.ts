const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Each series above those that follow: the first is drawn as the sum of all, behind the others. */
export function stackValues(
  values: readonly (readonly (number | null)[])[],
): readonly (readonly number[])[] {
  return values.map((own, index) =>
    own.map((_value, place) =>
      values.slice(index).reduce((sum, each) => sum + (each[place] ?? 0), 0),
    ),
  );
}

/** Steps of an axis that counts. */
export const WHOLE_STEPS = Array.from({ length: 16 }, (_, power) =>
  [1, 2, 5].map((one) => one * 10 ** power),
).flat();

/**
 * From the beginning of the first bar to the end of the last one, in seconds; a bar stands in the middle of
 * its time.
 */
export function rangeOfBars(times: readonly number[]): [number, number] {
  const [first = 0] = times;
  const half = stepOf(times) / 2_000;
  return [first / 1_000 - half, (times.at(-1) ?? first) / 1_000 + half];
}

/** Numbers of bars from one label to the next. */
const STEPS = [1, 2, 5, 10, 15, 20, 30] as const;

/**
 * The bars with a label, in seconds: of minutes the round ones, otherwise the last one and every so many
 * before it. `share`: of the width, what a label needs.
 */
export function labelledBars(times: readonly number[], share: number): number[] {
  const every = STEPS.find((step) => step >= times.length * share) ?? times.length;
  const isMinutes = stepOf(times) === MINUTE_MS;
  return times
    .filter(
      (time, index) => (isMinutes ? time / MINUTE_MS : times.length - 1 - index) % every === 0,
    )
    .map((time) => time / 1_000);
}

const stepOf = ([first = 0, second = first + HOUR_MS]: readonly number[]) => second - first;

const zoneOf = (utc: boolean) => (utc ? { timeZone: 'UTC' } : {});
const DATE = { month: 'short', day: 'numeric' } as const;
const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

/** Times of day; dates where the bars are days. */
export function nameTicks(
  ticks: readonly number[],
  times: readonly number[],
  utc: boolean,
): string[] {
  const options = { ...zoneOf(utc), ...(stepOf(times) >= DAY_MS ? DATE : CLOCK) };
  const format = new Intl.DateTimeFormat(undefined, options);
  return ticks.map((time) => format.format(new Date(time * 1_000)));
}

/** The whole time of a bar: `25 Nov, 14:05`, `25 Nov, 14:00 to 15:00` or `25 Nov`, with `UTC` if it is. */
export function nameBar(time: number, times: readonly number[], utc: boolean): string {
  const step = stepOf(times);
  const zone = zoneOf(utc);
  const date = new Intl.DateTimeFormat(undefined, { ...zone, ...DATE }).format(time);
  const clock = new Intl.DateTimeFormat(undefined, { ...zone, ...CLOCK });
  const suffix = utc ? ' UTC' : '';
  if (step >= DAY_MS) return `${date}${suffix}`;
  const end = step >= HOUR_MS ? ` to ${clock.format(time + step)}` : '';
  return `${date}, ${clock.format(time)}${end}${suffix}`;
}

/** The powers of ten around positive values; at least a decade. */
export function decadesAround(values: readonly number[]): [number, number] {
  const low = 10 ** Math.floor(Math.log10(Math.min(...values)));
  const high = 10 ** Math.ceil(Math.log10(Math.max(...values)));
  return [low, Math.max(high, low * 10)];
}

/** Ticks of a logarithmic axis: its powers of ten, and between few of them also 2 and 5. */
export function logTicks([low, high]: readonly [number, number]): number[] {
  const decades = Math.round(Math.log10(high / low));
  const factors = decades <= 2 ? [1, 2, 5] : [1];
  return Array.from({ length: decades + 1 }, (_, power) =>
    factors.map((factor) => factor * low * 10 ** power),
  )
    .flat()
    .filter((tick) => tick <= high);
}
