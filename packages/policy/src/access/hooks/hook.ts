import { createHmac } from 'node:crypto';
import { gatewayLimits } from '@forecourt/resilience';
import { readOneOf, type YamlValue } from '../../yaml/index.js';
import { parseHttpUrl, readTimeSpan } from '../conditions/read-operands.js';
import type { AccessSubject } from '../access-subject.js';
import { UnusableAnswer } from './unusable-answer.js';

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
  maxConcurrent: gatewayLimits.hookCalls.default,
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
  const headers = (value?.map().takeAll() ?? []).map(([name, list]) => {
    const lower = name.toLowerCase();
    if (!HEADER_NAME.test(lower)) list.fail('is not a header name');
    return [lower, list.list().map((one) => one.text())] as const;
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

/**
 * The body of a call to a hook: `executeTxRequest` as IOTA's gas station sends it, the name of the caller's
 * token, the reservation and the decoded transaction, whose amounts are decimal strings.
 */
export function writeHookRequest(hook: Hook, subject: AccessSubject): string {
  const { transaction, reservation, reservationId, txBytes, userSig, caller } = subject;
  const { digest, sender, gasOwner, gasBudget, gasPrice, moveCalls, commandKinds } = transaction;
  const { ownedInputs, sharedInputs, receivedInputs } = transaction;
  const headers = Object.fromEntries(
    hook.forwardHeaders.flatMap((name) => {
      const value = subject.header(name);
      return value === undefined ? [] : [[name, [value]]];
    }),
  );
  return JSON.stringify({
    executeTxRequest: { payload: { reservationId, txBytes, userSig }, headers },
    token: caller,
    reservation,
    transaction: {
      digest,
      sender,
      gasOwner,
      gasBudget: String(gasBudget),
      gasPrice: String(gasPrice),
      moveCalls,
      commandKinds,
      ownedInputs,
      sharedInputs,
      receivedInputs,
    },
  });
}

/** A hook's decision, and its message for the user. */
export interface HookAnswer {
  readonly decision: 'allow' | 'deny' | 'noDecision';
  readonly userMessage: string | null;
}

const DECISIONS = ['allow', 'deny', 'noDecision'] as const;
const LONGEST_MESSAGE = 500;

/** Reads a hook's JSON. Throws `UnusableAnswer` when it holds no decision. */
export function readHookAnswer(text: string): HookAnswer {
  const body = parse(text) as { decision?: unknown; userMessage?: unknown } | null;
  const decision = DECISIONS.find((one) => one === body?.decision);
  if (!decision) throw new UnusableAnswer(`the decision must be one of ${DECISIONS.join(', ')}`);
  return { decision, userMessage: readMessage(body?.userMessage) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UnusableAnswer('the answer is not JSON', { cause });
  }
}

function readMessage(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const clean = value
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g, ' ')
    .trim();
  return clean === '' ? null : clean.slice(0, LONGEST_MESSAGE);
}

/** Carries `t=<seconds since 1970>,v1=<hex>`: HMAC-SHA256 with the shared secret over `<t>.<body>`. */
export const SIGNATURE_HEADER = 'x-forecourt-signature';

/** The header's value for a body that is sent at `time`. */
export function signRequest(secret: string, body: string, time: Date): string {
  const seconds = Math.floor(time.getTime() / 1_000);
  const mac = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return `t=${seconds},v1=${mac}`;
}

/** A response's text. Throws as `readLimited`. */
export async function readLimitedText(response: Response, most: number): Promise<string> {
  return (await readLimited(response, most)).toString('utf8');
}

/**
 * A response's body. Throws `UnusableAnswer` when it is longer than `most` bytes, and what reading it throws.
 */
export async function readLimited(response: Response, most: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const body = response.body as AsyncIterable<Uint8Array> | null;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    if (length > most) throw new UnusableAnswer(`the answer is longer than ${most} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
