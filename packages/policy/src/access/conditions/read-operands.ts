import { canonicalAddress } from '@forecourt/contracts';
import type { YamlValue } from '../../yaml/index.js';

export const ANY = '*';

/** Addresses in full form, from any notation; null for any. Throws `InvalidFile`. */
export function readAddresses(value: YamlValue): ReadonlySet<string> | null {
  if (!value.isList && !value.isMap && value.text() === ANY) return null;
  return new Set(value.list().map((one) => one.parse(readAddress)));
}

/** An address in full form. Throws `Error` with the required format. */
export function readAddress(text: string): string {
  const address = canonicalAddress(text);
  if (address === null) {
    throw new Error(`must be an address (0x and hex digits), a list of these, or '*', not ${text}`);
  }
  return address;
}

const FORM = /^\s*(=|!=|<=|>=|<|>)(.*)$/;
const AMOUNT = /^\s*([\d_]+)(?:\.(\d+))?\s*(IOTA)?\s*$/i;
/** The smallest unit is an IOTA divided by ten to this power. */
const DECIMAL_PLACES = 9;
/** Of an amount in a file. */
export const MOST_UNITS = 2n ** 63n - 1n;

/** A comparison of an amount with a limit. */
export interface Comparison {
  readonly operator: '=' | '!=' | '<' | '>' | '<=' | '>=';
  readonly limit: bigint;
}

/** `<=5_000_000` in the smallest unit, or `<=0.5 IOTA`. Throws `Error` with the required format. */
export function readComparison(text: string): Comparison {
  const [, operator, amount] = FORM.exec(text) ?? [];
  if (operator === undefined) {
    throw new Error('must be one of = != < > <= >= and an amount, such as <=1000000 or <=0.5 IOTA');
  }
  return { operator: operator as Comparison['operator'], limit: readUnits(amount!) };
}

/** The same with an amount that has these bounds. Throws `Error` for a comparison that never holds, too. */
export const readComparisonWithin =
  (least: bigint, most: bigint) =>
  (text: string): Comparison =>
    requirePossible(readComparison(text), least, most);

/** Throws `Error` if no amount within the bounds fits: a rule with such a condition would have no effect. */
function requirePossible(comparison: Comparison, least: bigint, most: bigint): Comparison {
  const amounts = decisiveAmounts([comparison.limit], least, most);
  if (amounts.some((amount) => fits(comparison, amount))) return comparison;
  throw new Error(`never holds: the amount is from ${least} to ${most}`);
}

/** Amounts within bounds of which one fits all comparisons with these limits, if any amount does. */
export function decisiveAmounts(limits: readonly bigint[], least: bigint, most: bigint): bigint[] {
  const near = limits.flatMap((limit) => [limit - 1n, limit, limit + 1n]);
  return [least, most, ...near].filter((amount) => amount >= least && amount <= most);
}

/** `5_000_000` in the smallest unit, or `0.5 IOTA`. Throws `Error` with the required format. */
export function readUnits(text: string): bigint {
  const [, whole, fraction = '', unit] = AMOUNT.exec(text) ?? [];
  if (whole === undefined || !/\d/.test(whole)) {
    throw new Error('must be an amount, such as 1000000 or 0.5 IOTA');
  }
  if (!unit && fraction !== '') throw new Error('must be a whole number of the smallest unit');
  if (fraction.length > DECIMAL_PLACES) throw new Error('has too many decimal places');
  const digits = whole.replaceAll('_', '') + (unit ? fraction.padEnd(DECIMAL_PLACES, '0') : '');
  const amount = BigInt(digits);
  if (amount > MOST_UNITS) throw new Error(`must not be above ${MOST_UNITS}`);
  return amount;
}

export function fits({ operator, limit }: Comparison, amount: bigint): boolean {
  switch (operator) {
    case '=':
      return amount === limit;
    case '!=':
      return amount !== limit;
    case '<':
      return amount < limit;
    case '>':
      return amount > limit;
    case '<=':
      return amount <= limit;
    case '>=':
      return amount >= limit;
  }
}

const RATIO_FORM = /^\s*(=|!=|<=|>=|<|>)\s*(\d{1,9})(?:\.(\d{1,6}))?\s*$/;
const DECIMALS = 6;
const SCALE = 10n ** BigInt(DECIMALS);

/** `<=20` or `<=2.5`, as a comparison with millionths. Throws `Error` with the required format. */
export function readRatio(text: string): Comparison {
  const [, operator, whole, fraction = ''] = RATIO_FORM.exec(text) ?? [];
  if (operator === undefined || whole === undefined) {
    throw new Error('must be one of = != < > <= >= and a number, such as <=20 or <=2.5');
  }
  const limit = BigInt(whole) * SCALE + BigInt(fraction.padEnd(DECIMALS, '0'));
  if (operator === '<' && limit === 0n) throw new Error('never holds: a ratio is not below 0');
  return { operator: operator as Comparison['operator'], limit };
}

/** Whether the comparison holds for `amount / reference`, without rounding. */
export function ratioFits(
  { operator, limit }: Comparison,
  amount: bigint,
  reference: bigint,
): boolean {
  return fits({ operator, limit: limit * reference }, amount * SCALE);
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * Units of Rust's `humantime`, which IOTA's gas station uses; a month and a year have their average lengths.
 */
const UNITS: Readonly<Record<string, number>> = Object.fromEntries([
  ...['ms', 'msec', 'millis'].map((name) => [name, 1] as const),
  ...['s', 'sec', 'secs', 'second', 'seconds'].map((name) => [name, SECOND] as const),
  ...['m', 'min', 'mins', 'minute', 'minutes'].map((name) => [name, MINUTE] as const),
  ...['h', 'hr', 'hrs', 'hour', 'hours'].map((name) => [name, HOUR] as const),
  ...['d', 'day', 'days'].map((name) => [name, DAY] as const),
  ...['w', 'week', 'weeks'].map((name) => [name, 7 * DAY] as const),
  ...['M', 'month', 'months'].map((name) => [name, 30.44 * DAY] as const),
  ...['y', 'year', 'years'].map((name) => [name, 365.25 * DAY] as const),
]);

const PARTS = /^\s*(?:\d+\s*[a-z]+\s*)+$/i;
const PART = /(\d+)\s*([a-z]+)/gi;

/** `1 day`, `2h 30m`: a time span in ms, within bounds. Throws `Error` with the required format. */
export function readTimeSpan(text: string, least: number, most: number): number {
  if (text.length > 64 || !PARTS.test(text)) throw new Error('must be a time span, such as 1 day');
  let span = 0;
  for (const [, count, unit] of text.matchAll(PART)) {
    const ms = UNITS[unit!] ?? UNITS[unit!.toLowerCase()];
    if (ms === undefined) throw new Error(`has an unknown unit of time, ${unit}`);
    span += Number(count) * ms;
  }
  if (!(span >= least && span <= most)) {
    throw new Error(`must be a time span from ${least / SECOND} s to ${most / SECOND} s`);
  }
  return Math.round(span);
}

/** Throws `Error`, whose text does not repeat the URL: it may contain a password. */
export function parseHttpUrl(text: string): URL {
  const url = URL.parse(text);
  if (url && ['http:', 'https:'].includes(url.protocol)) return url;
  throw new Error('must be a URL that begins with http:// or https://');
}
