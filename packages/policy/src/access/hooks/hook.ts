import { readOneOf, type YamlValue } from '../../yaml/index.js';
import { parseHttpUrl, readTimeSpan } from '../conditions/read-operands.js';

/** The decision while a hook is down. */
const whenDownChoices = ['deny', 'allow', 'no-decision'] as const;

/** An HTTP service that decides. */
export interface Hook {
  readonly url: string;
  /** Sent with every call, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Headers of the caller's request that are passed on, by lower-case name. */
  readonly forwardHeaders: readonly string[];
  readonly timeoutMs: number;
  /** Attempts after the first. */
  readonly retries: number;
  readonly maxConcurrent: number;
  readonly whenDown: (typeof whenDownChoices)[number];
}

const HEADER_NAME = /^[a-z0-9!#$%&'*+.^_`|~-]+$/;
/** They hold the caller's credentials for this service. */
const NEVER_FORWARDED = ['authorization', 'proxy-authorization', 'cookie'];

/** A rule's action that names a hook: a URL, or `{url, headers, …}`. Throws `InvalidFile`. */
export function readHook(value: YamlValue): Hook {
  if (!value.isMap) return { ...defaults, url: value.parse(readUrl) };
  const map = value.map();
  const hook: Hook = {
    url: map.require('url').parse(readUrl),
    headers: readHeaders(map.take('headers')),
    forwardHeaders: (map.take('forward-headers')?.list() ?? []).map((one) =>
      one.parse(readForwarded),
    ),
    timeoutMs:
      map.take('timeout')?.parse((text) => readTimeSpan(text, 10, 30_000)) ?? defaults.timeoutMs,
    retries: map.take('retries')?.parse(readCount(0, 5)) ?? defaults.retries,
    maxConcurrent: map.take('max-concurrent')?.parse(readCount(1, 1_000)) ?? defaults.maxConcurrent,
    whenDown: map.take('when-down')?.parse(readOneOf(whenDownChoices)) ?? defaults.whenDown,
  };
  map.refuseOthers();
  return hook;
}

const defaults: Hook = {
  url: '',
  headers: {},
  forwardHeaders: [],
  timeoutMs: 2_000,
  retries: 1,
  maxConcurrent: 64,
  whenDown: 'deny',
};

function readUrl(text: string): string {
  const url = parseHttpUrl(text);
  if (url.username !== '' || url.password !== '') {
    throw new Error('must not contain a user name or password; send them as a header (headers)');
  }
  return url.href;
}

function readHeaders(value: YamlValue | null): Record<string, string> {
  const headers = (value?.map().takeAll() ?? []).map(([name, given]) => {
    const lower = name.toLowerCase();
    if (!HEADER_NAME.test(lower)) given.fail('is not a header name');
    return [lower, given.list().map((one) => one.text())] as const;
  });
  return Object.fromEntries(headers.map(([name, values]) => [name, values.join(', ')]));
}

function readForwarded(text: string): string {
  const name = text.toLowerCase();
  if (!HEADER_NAME.test(name)) throw new Error(`must be a list of header names, not ${text}`);
  if (NEVER_FORWARDED.includes(name)) throw new Error(`must not name ${name}`);
  return name;
}

function readCount(least: number, most: number): (text: string) => number {
  return (text) => {
    const count = /^\d{1,6}$/.test(text) ? Number(text) : -1;
    if (count < least || count > most) throw new Error(`must be from ${least} to ${most}`);
    return count;
  };
}
