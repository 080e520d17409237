import { ForecourtError } from '@forecourt/contracts';
import { Redis } from 'ioredis';
import { FairBulkhead, gatewayLimits } from '@forecourt/resilience';
import { type AccessSubject, type Initiator, holdersOf, measured } from '../access-subject.js';
import { AccessUndecided } from '../access-undecided.js';
import type { ReadCondition } from '../conditions/condition.js';
import { readLimited, readLimitedText } from '../hooks/hook.js';
import { parseHttpUrl } from '../conditions/read-operands.js';
import { mayUseChangedInputs } from './may-use-changed-inputs.js';
import { RegoPolicy } from './rego-policy.js';

const RULE_PATH = /^data(?:\.[A-Za-z_][A-Za-z0-9_]*)+$/;
const LOCATIONS = ['file', 'http', 'redis', 'opa-server'];

/**
 * `rego-expression`: a policy that OPA has compiled, from a file, a URL or a Redis, or one that an OPA server
 * evaluates. The input is `{transaction_data}`, as in IOTA's gas station. A policy that fails, or returns
 * neither true nor false, decides against the transaction; so does every policy if an input may be changed
 * and used again.
 */
export const readRego: ReadCondition = async (value, { readFile, isOffline, onPrint }) => {
  const map = value.map();
  const location = map.require('location-type').text();
  const rulePath = map.require('rego-rule-path').parse((text) => {
    if (!RULE_PATH.test(text)) throw new Error('must be the path of a rule, such as data.a.allow');
    return text.split('.').slice(1).join('/');
  });
  const path = map.take('path');
  const url = map.take('url');
  const redisKey = map.take('redis-key');
  map.refuseOthers();
  if (!LOCATIONS.includes(location)) {
    value.fail(`must have a location-type that is one of ${LOCATIONS.join(', ')}, not ${location}`);
  }
  const named = path ?? url ?? value.fail(`has no ${location === 'file' ? 'path' : 'url'}`);
  if (isOffline && location !== 'file') {
    return () => {
      throw new AccessUndecided(`a Rego policy that is not in a file (${location}) decides`);
    };
  }
  const evaluate =
    location === 'opa-server'
      ? askOpaServer(named.parse(splitCredentials), rulePath)
      : await load(await readSource());
  return async (subject, quantifier) => {
    const whenUndecided = quantifier === 'any';
    try {
      const input = { transaction_data: await subject.transactionJson() };
      if (await mayUseChangedInputs(input.transaction_data, subject)) return whenUndecided;
      const result = await measured(subject, () => evaluate(input, subject));
      return typeof result === 'boolean' ? result : whenUndecided;
    } catch (error) {
      if (error instanceof AccessUndecided || error instanceof ForecourtError) throw error;
      return whenUndecided;
    }
  };

  function load(source: Buffer): Promise<(input: unknown, by: AccessSubject) => unknown> {
    const { line } = value;
    const print = (printed: string) => onPrint({ line, rule: rulePath, printed });
    return loadCompiledPolicy(source, rulePath, print).catch(refuse);
  }

  function readSource(): Promise<Buffer> {
    if (location === 'file') return readFile(named);
    const source =
      location === 'http'
        ? readFromHttp(named.parse(splitCredentials))
        : readFromRedis(named.text(), redisKey?.text() ?? missingKey());
    return source.catch(refuse);
  }

  function missingKey(): never {
    return value.fail('has no redis-key');
  }

  function refuse(error: unknown): never {
    return value.fail(`cannot be used: ${(error as Error).message}`);
  }
};

const WASM = Buffer.from([0x00, 0x61, 0x73, 0x6d]);
const GZIP = Buffer.from([0x1f, 0x8b]);

/** Loads a policy that OPA has compiled to WebAssembly. Throws `Error` with the problem and the remedy. */
async function loadCompiledPolicy(
  source: Buffer,
  rulePath: string,
  print: (text: string) => void,
): Promise<(input: unknown) => unknown> {
  if (source.length > LARGEST) throw new Error(`it is larger than ${LARGEST} bytes`);
  if (source.subarray(0, 2).equals(GZIP)) {
    throw new Error('it is a bundle; extract policy.wasm from it (tar -xzf … /policy.wasm)');
  }
  if (!source.subarray(0, 4).equals(WASM)) {
    throw new Error(
      `it is not a compiled policy. Compile Rego source (npm run forecourt -- access compile policy.rego --rule data.${rulePath.replaceAll('/', '.')}) and name policy.wasm, or serve it with an OPA server and write location-type: opa-server`,
    );
  }
  const policy = await RegoPolicy.load(source, print);
  const { rules } = policy;
  if (!rules.includes(rulePath)) {
    throw new Error(`the policy has no entrypoint ${rulePath}, only ${rules.join(', ')}`);
  }
  return (input) => policy.evaluate(rulePath, input);
}

const READ_WITHIN_MS = 5_000;
const LARGEST = 16 * 2 ** 20;

/** The body at a URL. Throws `Error` when it cannot be read or is too large. */
async function readFromHttp({ url, headers }: HttpTarget): Promise<Buffer> {
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(READ_WITHIN_MS) });
  const place = `${url.origin}${url.pathname}`;
  if (!response.ok) throw new Error(`${place} answered with status ${response.status}`);
  return readLimited(response, LARGEST);
}

/** The value of a Redis key. Throws `Error` when it cannot be read or does not exist. */
async function readFromRedis(url: string, key: string): Promise<Buffer> {
  const redis = new Redis(url, {
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    connectTimeout: READ_WITHIN_MS,
    retryStrategy: () => null,
  });
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    const bytes = await redis.getBuffer(key);
    if (bytes === null) throw new Error(`the key ${key} does not exist in Redis`);
    return bytes;
  } finally {
    redis.disconnect();
  }
}

const ASK_WITHIN_MS = 2_000;
const LONGEST_ANSWER = 65_536;
const MAX_CONCURRENT = gatewayLimits.opaCalls.default;

/**
 * Evaluates a rule with an OPA server's REST API (`POST /v1/data/<path>`); the result is undefined when the
 * rule is. The function that is returned throws `AccessUndecided` when the server is down, its answer is
 * unusable, or too many calls wait for it.
 */
function askOpaServer(
  { url: server, headers }: HttpTarget,
  rulePath: string,
): (input: unknown, by: Initiator) => Promise<unknown> {
  const bulkhead = new FairBulkhead(MAX_CONCURRENT);
  const url = new URL(
    `v1/data/${rulePath}`,
    server.href.endsWith('/') ? server : `${server.href}/`,
  );
  return async (input, by) => {
    try {
      return await bulkhead.run(holdersOf(by), () => ask(input));
    } catch (cause) {
      throw new AccessUndecided(`the OPA server at ${url.host}: ${(cause as Error).message}`, {
        cause,
      });
    }
  };

  async function ask(input: unknown): Promise<unknown> {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ input }),
      signal: AbortSignal.timeout(ASK_WITHIN_MS),
      redirect: 'error',
    });
    const text = await readLimitedText(response, LONGEST_ANSWER);
    if (!response.ok) throw new Error(`status ${response.status}`);
    return (JSON.parse(text) as { result?: unknown }).result;
  }
}

interface HttpTarget {
  /** Without user name and password: `fetch` refuses them, and error texts must not show them. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Moves the user name and password of an HTTP URL into a header (Basic authentication). Throws `Error` if it
 * is not an HTTP URL.
 */
function splitCredentials(text: string): HttpTarget {
  const url = parseHttpUrl(text);
  const { username, password } = url;
  if (username === '' && password === '') return { url, headers: {} };
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  url.username = '';
  url.password = '';
  const credentials = Buffer.from(pair).toString('base64');
  return { url, headers: { authorization: `Basic ${credentials}` } };
}
