import { createHash } from 'node:crypto';
import { canonicalAddress } from '@forecourt/contracts';
import type { YamlMap, YamlValue } from '../../yaml/index.js';
import {
  type Comparison,
  fits,
  readComparison,
  readTimeSpan,
} from '../conditions/read-operands.js';
import type { AccessSubject } from '../access-subject.js';

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;
const HEADER = 'http-header::';
const NAME = /^[\w.-]{1,64}$/;

export type CountBy = 'sender-address' | 'token' | 'package' | { readonly header: string };

/** The maximum usage in a window that begins with the first use. */
export interface UsageLimit {
  /** Gas in the smallest unit, or transactions. */
  readonly counts: 'gas' | 'requests';
  /** Names the counter; it stays the same if the limit's value, or another part of the file, changes. */
  readonly counter: string;
  readonly comparison: Comparison;
  readonly windowMs: number;
  readonly countBy: readonly CountBy[];
}

/** `{value, window, count-by}`. `identity`: distinguishes its counter from those of other limits. Throws `InvalidFile`. */
export function readUsageLimit(
  value: YamlValue,
  counts: UsageLimit['counts'],
  identity: unknown,
): UsageLimit {
  const map = value.map();
  const comparison = map.require('value').parse(readComparison);
  const windowMs = readWindow(map);
  const countBy = (map.take('count-by')?.items() ?? []).map((one) => one.parse(readCountBy));
  map.refuseOthers();
  const counter = hash([counts, windowMs, countBy, identity]);
  return { counts, counter, comparison, windowMs, countBy };
}

/** `{value, window}` with an upper limit on gas as the value: `5 coins`, `1000000`. Throws `InvalidFile`. */
export function readCap(value: YamlValue, identity: string): UsageLimit {
  const map = value.map();
  const comparison = map
    .require('value')
    .parse((text) => readComparison(/^\s*\d/.test(text) ? `<=${text}` : text));
  if (comparison.operator !== '<=' && comparison.operator !== '<') {
    value.fail('must be an upper limit, such as 5 coins');
  }
  const windowMs = readWindow(map);
  map.refuseOthers();
  const counter = hash(['gas', windowMs, identity]);
  return { counts: 'gas', counter, comparison, windowMs, countBy: [] };
}

/** Gas per day in the smallest unit. Throws `Error` with the required format. */
export function readDailyCap(text: string): UsageLimit {
  if (!/^\d{1,20}$/.test(text)) throw new Error('must be an amount in the smallest unit');
  return {
    counts: 'gas',
    counter: hash(['gas', DAY_MS, 'daily cap']),
    comparison: readComparison(`<=${text}`),
    windowMs: DAY_MS,
    countBy: [],
  };
}

function readWindow(map: YamlMap): number {
  return map.require('window').parse((text) => readTimeSpan(text, SECOND_MS, 400 * DAY_MS));
}

function readCountBy(text: string): CountBy {
  if (text === 'sender-address' || text === 'token' || text === 'package') return text;
  const header = text.startsWith(HEADER) ? text.slice(HEADER.length).toLowerCase() : '';
  if (!NAME.test(header) || header === 'authorization' || header === 'cookie') {
    throw new Error('must name sender-address, token, package or http-header::<name>');
  }
  return { header };
}

/** Addresses are hashed in full form, so that the notation does not matter. */
function hash(parts: unknown): string {
  const text = JSON.stringify(parts, (_key, part: unknown) => canonicalAddress(part) ?? part);
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/**
 * A decision's assumption about one counter. The claim of the reservation succeeds only if the assumption still holds,
 * and counts the transaction in the same step.
 */
export interface UsageCheck {
  readonly counter: string;
  readonly counts: UsageLimit['counts'];
  /** The amount that this transaction adds: its maximum cost, corrected once it has executed, or 1. */
  readonly amount: bigint;
  readonly comparison: Comparison;
  readonly windowMs: number;
  /** Whether the comparison holds for the used amount, including this transaction. */
  readonly expected: boolean;
  /** Whether the transaction is counted here. */
  readonly held: boolean;
}

/** The known state of a counter. */
export interface KnownUsage {
  readonly used: bigint;
  /** When its window ends; 0 if none has begun. */
  readonly endsInMs: number;
}

/** By counter. A missing counter is assumed to be unused; the claim fails if it is not. */
export type KnownUsages = Pick<ReadonlyMap<string, KnownUsage>, 'get'>;

/** One check for each counter of the limit in which the transaction counts. */
export function checkUsage(
  limit: UsageLimit,
  subject: AccessSubject,
  known: KnownUsages,
): UsageCheck[] {
  const { counts, comparison, windowMs } = limit;
  const amount = counts === 'gas' ? subject.largestCost : 1n;
  return groupsOf(limit, subject).map((counter) => {
    const used = known.get(counter)?.used ?? 0n;
    const expected = fits(comparison, used + amount);
    return { counter, counts, amount, comparison, windowMs, expected, held: false };
  });
}

function groupsOf({ counter, countBy }: UsageLimit, subject: AccessSubject): string[] {
  if (countBy.length === 0) return [counter];
  const called = countBy.includes('package') ? subject.transaction.moveCalls : [];
  const packages = new Set(called.map(({ packageId }) => packageId));
  // A transaction without calls is counted too.
  if (packages.size === 0) packages.add('');
  return [...packages].map((packageId) => {
    const group = countBy.map((by) => groupValue(by, subject, packageId));
    const text = JSON.stringify(group);
    return `${counter}:${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
  });
}

function groupValue(by: CountBy, subject: AccessSubject, packageId: string): string {
  if (by === 'sender-address') return subject.transaction.sender;
  if (by === 'token') return subject.caller;
  if (by === 'package') return packageId;
  return subject.header(by.header) ?? '';
}
