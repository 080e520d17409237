import { createHash } from 'node:crypto';
import { type Budget, canonicalAddress } from '@forecourt/contracts';
import { readInstant, readOneOf, type YamlValue } from '../../yaml/index.js';
import {
  type Comparison,
  fits,
  MOST_UNITS,
  readComparison,
  readComparisonWithin,
  readTimeSpan,
} from '../conditions/read-operands.js';
import type { AccessSubject } from '../access-subject.js';

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;
const HEADER = 'http-header::';
const NAME = /^[\w.-]{1,64}$/;

type CountBy = 'sender-address' | 'token' | 'package' | { readonly header: string };

/** The budget that a limit is of: its kind, its name, and its rule set. */
export type BudgetName = Pick<Budget, 'kind' | 'name' | 'ruleSet'>;

/** The maximum usage in a window that begins with the first use, or in total. */
export interface UsageLimit {
  /** Gas in the smallest unit, or transactions. */
  readonly counts: 'gas' | 'requests';
  /** Names the counter; it stays the same if the limit's value, or another part of the file, changes. */
  readonly counter: string;
  readonly comparison: Comparison;
  /** Null: a total, which is never renewed. */
  readonly windowMs: number | null;
  /** When a total ends, in ms since 1970: it has no room from then on. Null: it has no end. */
  readonly until: number | null;
  readonly countBy: readonly CountBy[];
  /** Whose thresholds are announced; null: none are. */
  readonly budget: BudgetName | null;
}

/**
 * `{value, window or until or total, count-by}`. `identity`: distinguishes its counter from those of other
 * limits. Throws `InvalidFile`.
 */
export function readUsageLimit(
  value: YamlValue,
  counts: UsageLimit['counts'],
  identity: unknown,
): UsageLimit {
  const map = value.map();
  const comparison = map.require('value').parse(readComparisonWithin(0n, MOST_UNITS));
  const period = readPeriod(map);
  const countBy = (map.take('count-by')?.items() ?? []).map((one) => one.parse(readCountBy));
  map.refuseOthers();
  const counter = hash([counts, period.windowMs ?? TOTAL, countBy, identity]);
  return { counts, counter, comparison, ...period, countBy, budget: null };
}

/**
 * `{value, window or until or total}` with an upper limit on gas as the value: `5 IOTA`, `1000000`. `budget`:
 * of a token or the sponsor; distinguishes its counter from those of others. Throws `InvalidFile`.
 */
export function readCap(value: YamlValue, budget: BudgetName): UsageLimit {
  const map = value.map();
  const comparison = map
    .require('value')
    .parse((text) => readComparison(/^\s*\d/.test(text) ? `<=${text}` : text));
  if (!isUpperBound(comparison)) value.fail('must be an upper limit, such as 5 IOTA');
  const period = readPeriod(map);
  map.refuseOthers();
  const identity = budget.kind === 'token' ? `token ${budget.name}` : budget.kind;
  const counter = hash(['gas', period.windowMs ?? TOTAL, identity]);
  return announced({ counts: 'gas', counter, comparison, ...period, countBy: [], budget }, budget);
}

/** Gas per day in the smallest unit. Throws `Error` with the required format. */
export function readDailyCap(text: string): UsageLimit {
  if (!/^\d{1,20}$/.test(text)) throw new Error('must be an amount in the smallest unit');
  return {
    counts: 'gas',
    counter: hash(['gas', DAY_MS, 'daily cap']),
    comparison: readComparison(`<=${text}`),
    windowMs: DAY_MS,
    until: null,
    countBy: [],
    budget: { kind: 'sponsor', name: 'daily-gas-usage-cap' },
  };
}

/** In the identity of a counter, instead of a window: an edited end leaves the counter as it is. */
const TOTAL = 'total';

/** `window`; or instead of it `until`, the end of a total; or `total: true`, for one without an end. */
function readPeriod(map: YamlValue): Pick<UsageLimit, 'windowMs' | 'until'> {
  const end = map.take('until');
  const total = map.take('total');
  total?.parse(readOneOf(['true']));
  if (end === null && total === null) {
    const window = map.take('window');
    if (window === null) map.fail('has no window, until or total: add one, such as window: 1 day');
    const windowMs = window.parse((text) => readTimeSpan(text, SECOND_MS, 400 * DAY_MS));
    return { windowMs, until: null };
  }
  map
    .take('window')
    ?.fail(
      `and ${end ? 'until' : 'total'} are both given: remove window for one total that is never renewed, or ${end ? 'until' : 'total'} for a limit that is`,
    );
  return { windowMs: null, until: end?.parse(readInstant) ?? null };
}

const isUpperBound = ({ operator }: Comparison) => operator === '<=' || operator === '<';

/** Shorter windows limit a rate: they would fill up many times an hour. */
const SHORTEST_ANNOUNCED_MS = 60_000;

/**
 * The limit with announced thresholds; without, if it has no upper bound, a short window, or a counter for
 * each value that callers choose: they could have any number of thresholds announced.
 */
export function announced(limit: UsageLimit, budget: BudgetName): UsageLimit {
  const isAnnounced =
    isUpperBound(limit.comparison) &&
    (limit.windowMs ?? Infinity) >= SHORTEST_ANNOUNCED_MS &&
    limit.countBy.every((by) => by === 'token');
  return { ...limit, budget: isAnnounced ? budget : null };
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
 * A decision's assumption about one counter. The claim of the reservation succeeds only if the assumption
 * still holds, and counts the transaction in the same step.
 */
export interface UsageCheck extends Pick<
  UsageLimit,
  'counter' | 'counts' | 'comparison' | 'windowMs' | 'until'
> {
  /** The amount that this transaction adds: its maximum cost, corrected once it has executed, or 1. */
  readonly amount: bigint;
  /** It is a total that has ended, and has no room. */
  readonly isOver: boolean;
  /** Whether the comparison holds for the used amount, including this transaction. */
  readonly expected: boolean;
  /** Whether the transaction is counted here. */
  readonly held: boolean;
  /** Whose thresholds are announced; null: none are. */
  readonly budget: Budget | null;
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
  const { counts, comparison, windowMs, until } = limit;
  const amount = counts === 'gas' ? subject.largestCost : 1n;
  const isOver = until !== null && subject.time.getTime() >= until;
  const token = tokenOf(limit, subject);
  const budget = limit.budget && !isOver ? { ...limit.budget, token, until } : null;
  return groupsOf(limit, subject).map((counter) => {
    const used = known.get(counter)?.used ?? 0n;
    const expected = isOver ? isLowerBound(comparison) : fits(comparison, used + amount);
    const check = { counter, counts, amount, comparison, windowMs, until, isOver, budget };
    return { ...check, expected, held: false };
  });
}

/** The comparison has the same result for every amount, however large. */
const isLowerBound = ({ operator }: Comparison) => ['>', '>=', '!='].includes(operator);

/** The only token that a limit counts; null: it counts several. */
function tokenOf({ budget, countBy }: UsageLimit, { caller }: AccessSubject): string | null {
  return budget?.kind === 'token' || countBy.length > 0 ? caller : null;
}

/**
 * The comparison that the claim makes with the counter. A total that has ended has no room: the result is the
 * same whatever is used.
 */
export function claimedComparison({ comparison, isOver }: UsageCheck): Comparison {
  if (!isOver) return comparison;
  return isLowerBound(comparison) ? { operator: '>=', limit: 0n } : { operator: '<', limit: 0n };
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
