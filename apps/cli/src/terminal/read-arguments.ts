import { readFileSync } from 'node:fs';
import { readUnits } from '@forecourt/policy/access';

/** Base64 from an argument, or from standard input if the argument is `-`. */
export function readBase64(argument: string): string {
  return argument === '-' ? readFileSync(0, 'utf8').trim() : argument;
}

/** An integer above 0 from an argument, which `name` names in the message. Throws `Error`. */
export function readCount(name: string, text: string): number {
  const count = /^\d+$/.test(text) ? Number(text) : 0;
  if (count > 0 && Number.isSafeInteger(count)) return count;
  throw new Error(`${name} must be an integer above 0; got ${JSON.stringify(text)}`);
}

/** An integer, 0 or above, from an argument, which `name` names in the message. Throws `Error`. */
export function readNumber(name: string, text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new Error(`${name} must be an integer, 0 or above; got ${JSON.stringify(text)}`);
}

/** Decimal text in the smallest unit of an amount such as `0.5 IOTA`, or one in that unit. Throws `Error`. */
export function readAmount(name: string, text: string): string {
  try {
    return String(readUnits(text));
  } catch (cause) {
    throw new Error(`${name} ${(cause as Error).message}; got ${JSON.stringify(text)}`, { cause });
  }
}

/**
 * Milliseconds since 1970 from an argument: a number of them, or a date, in UTC unless it names a zone.
 * Throws `Error`.
 */
export function readTime(name: string, text: string): number {
  const zoned = /^\d{4}-\d{2}-\d{2}T[\d:.]+$/.test(text) ? `${text}Z` : text;
  const ms = /^\d{1,16}$/.test(text) ? Number(text) : Date.parse(zoned);
  if (Number.isSafeInteger(ms) && ms >= 0 && /^\d/.test(text)) return ms;
  const expected = 'a date such as 2026-11-25 or 2026-11-25T13:00Z, or milliseconds since 1970';
  throw new Error(`${name} must be ${expected}; got ${JSON.stringify(text)}`);
}

/** Adds the value of an option that may be given several times. */
export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
