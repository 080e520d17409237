/**
 * Ids of records hold their time in ms since 2025-01-01 above these bits (reserve-gas.lua for reservations).
 */
const EPOCH = Date.UTC(2025, 0, 1);
export const RESERVATION_BITS = 13n;
export const REFUSAL_BITS = 20n;
/** Far more than a stream gets in a millisecond, also while the clock of Redis is set back. */
const MAX_SEQUENCE = 1n << REFUSAL_BITS;

export const DAY_MS = 86_400_000;
export const HOUR_MS = 3_600_000;

/**
 * A refusal belongs to the sponsorship that it names if that was reserved within this time: a reservation
 * lives for minutes.
 */
export const REFUSED_WITHIN_MS = 2 * DAY_MS;

/** The lowest id of a record of this time. */
export function firstIdAt(time: number, bits: bigint): bigint {
  return BigInt(Math.max(0, Math.floor(time) - EPOCH)) << bits;
}

/** The time of a record, in ms since 1970. */
export function timeOfId(id: bigint, bits: bigint): number {
  return EPOCH + Number(id >> bits);
}

/** The id of a refusal, from that of its entry in the stream: `<ms>-<sequence>`. Throws `RangeError`. */
export function refusalId(entry: string): bigint {
  const [ms = '', sequence = ''] = entry.split('-');
  const below = BigInt(sequence);
  if (Number(ms) < EPOCH || below >= MAX_SEQUENCE) throw new RangeError(`${entry} has no id`);
  return firstIdAt(Number(ms), REFUSAL_BITS) + below;
}

/** The beginning of the day (UTC) of a time. */
export function dayOf(time: number): number {
  return Math.floor(time / DAY_MS) * DAY_MS;
}
