import {
  canonicalAddress,
  GAS_BUDGET_BOUNDS,
  LEDGER_MAX_GAS_BUDGET,
  RESERVE_DURATION_BOUNDS,
} from '@forecourt/contracts';
import type { ReservationSubject } from '../access-subject.js';
import type { ReadCondition, SponsorNames } from './condition.js';
import { ANY, fits, readComparisonWithin } from './read-operands.js';
import { readInstant, type YamlValue } from '../../yaml/index.js';

type ReadReservationCondition = ReadCondition<(subject: ReservationSubject) => boolean>;

/** `reservation-gas-budget`: the reserved budget. */
export const readReservationGasBudget: ReadReservationCondition = (value) => {
  const most = BigInt(LEDGER_MAX_GAS_BUDGET);
  const comparison = value.parse(readComparisonWithin(BigInt(GAS_BUDGET_BOUNDS.min), most));
  return ({ reservation }) => fits(comparison, BigInt(reservation.gasBudget));
};

/** `reservation-duration-secs`: the duration of the reservation. */
export const readReservationDuration: ReadReservationCondition = (value) => {
  const { min, max } = RESERVE_DURATION_BOUNDS;
  const comparison = value.parse(readComparisonWithin(BigInt(min), BigInt(max)));
  return ({ reservation }) => fits(comparison, BigInt(reservation.durationSecs));
};

/** `sponsor`: the sponsor that pays, by address or name, or a list. */
export const readSponsor: ReadReservationCondition = (value, { sponsorNames }) => {
  const sponsors = readSponsors(value, sponsorNames);
  return ({ sponsor }) => sponsor !== null && sponsors.includes(sponsor);
};

/** Addresses in full form. Throws `InvalidFile`. */
export function readSponsors(value: YamlValue, names: SponsorNames): string[] {
  return value.list().map((one) => one.parse((text) => resolveSponsor(text, names)));
}

/** The address of a sponsor in full form, from its address or name. Throws `Error` with the known names. */
export function resolveSponsor(text: string, names: SponsorNames): string {
  const address = names.get(text) ?? canonicalAddress(text);
  if (address !== null) return address;
  const known = names.size === 0 ? 'none is defined' : [...names.keys()].join(', ');
  throw new Error(
    `names the sponsor ${text}, which is neither an address nor one of the sponsors in the access rules: ${known}`,
  );
}

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const TIME_OF_DAY = /^(?:([01]\d|2[0-3]):([0-5]\d)|24:00)$/;
const MINUTES_OF_DAY = 24 * 60;

/**
 * `time`: `after` and `before` are instants; `from` and `to` are times of day in `time-zone` (default UTC),
 * past midnight if `to` is not later than `from`; `days` is a list of days (`mon`) and ranges (`mon-fri`) on
 * which that period begins.
 */
export const readTime: ReadCondition<(subject: ReservationSubject) => boolean> = (value) => {
  const map = value.map();
  const after = map.take('after')?.parse(readInstant) ?? -Infinity;
  const before = map.take('before')?.parse(readInstant) ?? Infinity;
  if (after >= before) value.fail('never holds: after must be earlier than before');
  const timeZone = map.take('time-zone')?.parse(readTimeZone) ?? 'UTC';
  const days = readDays(map.take('days'));
  const [from, to] = readTimesOfDay(map);
  map.refuseOthers();
  const localTime = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const holdsAt = (time: Date): boolean => {
    if (time.getTime() < after || time.getTime() >= before) return false;
    const parts = Object.fromEntries(
      localTime.formatToParts(time).map((part) => [part.type, part.value]),
    );
    const minute = Number(parts['hour']) * 60 + Number(parts['minute']);
    const day = DAYS.indexOf(parts['weekday']!.toLowerCase());
    if (from < to) return minute >= from && minute < to && days.has(DAYS[day]!);
    if (minute >= from) return days.has(DAYS[day]!);
    return minute < to && days.has(DAYS.at(day - 1)!);
  };
  if (before - after < WEEK_MS && !startsBetween(after, before, from).some(holdsAt)) {
    value.fail('never holds: no such day and time of day is between after and before');
  }
  return ({ time }) => holdsAt(time);
};

const MINUTE_MS = 60_000;
/** In a longer time, each day of the week has its whole period. */
const WEEK_MS = 8 * 24 * 60 * MINUTE_MS;
/** Time zones differ by multiples of this. */
const STEP_MS = 15 * MINUTE_MS;

/**
 * `after`, and instants until `before` that include each one at which it is `from` minutes after midnight, in
 * any time zone.
 */
function startsBetween(after: number, before: number, from: number): Date[] {
  const starts = [after];
  const first = Math.ceil(after / STEP_MS) * STEP_MS - STEP_MS + (from % 15) * MINUTE_MS;
  for (let start = first; start < before; start += STEP_MS) starts.push(start);
  return starts.map((start) => new Date(start));
}

/** When a `time` with this text ends; null: never. */
export function endOfTime(text: string): number | null {
  const { before } = JSON.parse(text) as { readonly before?: string };
  return before === undefined ? null : readInstant(before);
}

function readTimesOfDay(map: YamlValue): [number, number] {
  // A period that begins at the end of a day begins on the next one, of which `days` would not be the day.
  const from = map.take('from')?.parse(readTimeOfDay) ?? 0;
  if (from === MINUTES_OF_DAY) map.fail('from must be before 24:00; the next day begins at 00:00');
  const to = map.take('to')?.parse(readTimeOfDay) ?? MINUTES_OF_DAY;
  return [from, to];
}

function readTimeOfDay(text: string): number {
  const match = TIME_OF_DAY.exec(text);
  if (match === null) throw new Error('must be a time of day, such as 08:30, up to 24:00');
  const [, hours = 24, minutes = 0] = match;
  return Number(hours) * 60 + Number(minutes);
}

function readTimeZone(text: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone;
  } catch (cause) {
    throw new Error('must be a time zone, such as Europe/Berlin', { cause });
  }
}

function readDays(value: YamlValue | null): ReadonlySet<string> {
  if (value === null) return new Set(DAYS);
  return new Set(value.list().flatMap((one) => one.parse(readDayRange)));
}

function readDayRange(text: string): string[] {
  const [first = '', last = first, ...rest] = text.toLowerCase().split('-');
  const [from, to] = [DAYS.indexOf(first), DAYS.indexOf(last)];
  if (from < 0 || to < 0 || rest.length > 0) {
    throw new Error('must be days, such as mon, or mon-fri');
  }
  return from <= to ? DAYS.slice(from, to + 1) : [...DAYS.slice(from), ...DAYS.slice(0, to + 1)];
}

/** `token`: the name of the token's entry, a list of names, or `*`. */
export const readToken: ReadCondition<(subject: ReservationSubject) => boolean> = (value) => {
  const names = new Set(value.list().map((name) => name.text()));
  return ({ caller }) => names.has(ANY) || names.has(caller);
};
