import { DAY_MS, HOUR_MS } from '../database/record-ids.js';

/** A range of time, from `from` on and before `to`, and where its figures come from. */
export interface UsagePart {
  readonly source: 'records' | 'sums';
  readonly from: number;
  readonly to: number;
}

export interface UsageTime {
  readonly from: number;
  readonly to: number;
}

/** Parts, and the range that they cover together, whose end is exclusive. */
export interface UsageTimes extends UsageTime {
  readonly parts: readonly UsagePart[];
}

/** `hour`, `day`: what the sums are for, which serve whole ones. Null: there are none for this question. */
export type SumsUnit = 'hour' | 'day' | null;

const LENGTH = { hour: HOUR_MS, day: DAY_MS };

/**
 * Divides the time of a report, both ends included: whole hours or days come from sums, the rest from records. Before
 * `recordsSince` only sums are left, so that the report begins or ends with a whole one there.
 */
export function divideTime(
  { from, to }: UsageTime,
  unit: SumsUnit,
  recordsSince: number,
): UsageTimes {
  let [begin, end] = [from, Math.max(from, to + 1)];
  if (unit === null)
    return { parts: [{ source: 'records', from: begin, to: end }], from: begin, to: end };
  const length = LENGTH[unit];
  const floor = (at: number) => Math.floor(at / length) * length;
  const ceil = (at: number) => Math.ceil(at / length) * length;
  if (floor(begin) < recordsSince) begin = floor(begin);
  if (floor(end) < recordsSince) end = ceil(end);
  const [first, last] = [ceil(begin), floor(end)];
  const parts: UsagePart[] =
    first > last
      ? [{ source: 'records', from: begin, to: end }]
      : [
          { source: 'records', from: begin, to: first },
          { source: 'sums', from: first, to: last },
          { source: 'records', from: last, to: end },
        ];
  return { parts: parts.filter((part) => part.to > part.from), from: begin, to: end };
}
