import { createHash } from 'node:crypto';
import type { YamlMap, YamlValue } from '../../yaml/index.js';
import { canonicalAddress } from '@forecourt/contracts';
import { type Comparison, readComparison } from '../conditions/read-comparison.js';
import { readTimeSpan } from '../conditions/read-time-span.js';

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
