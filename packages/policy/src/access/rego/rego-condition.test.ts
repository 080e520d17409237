import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { ForecourtError } from '@forecourt/contracts';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type RedisServer, startRedisServer } from '@forecourt/testing/redis';
import { Redis } from 'ioredis';
import { TemporaryFolder } from '@forecourt/testing/jest';
import { allowed, decide, file, subject } from '../access-rules.test-support.js';
import { readAccessRules } from '../read-access-rules.js';
import { call, LONG, policyModule, PRINT, put, YES } from './policy-module.test-support.js';

const WASM = fileURLToPath(new URL('./testing/one-function.wasm', import.meta.url));

const calling = (name: string | null) =>
  subject(
    {},
    {
      transactionJson: () => ({
        V1: {
          kind: {
            ProgrammableTransaction: {
              inputs: [],
              commands:
                name === null
                  ? []
                  : [{ MoveCall: { module: 'garage', function: name, arguments: [] } }],
            },
          },
        },
      }),
    },
  );
const subjects = [calling('build_car'), calling('drive'), calling(null)];

const rule = (policy: string, action: string, rego: string, path = 'data.matchers.allowed') =>
  file(
    policy,
    `    - rego-expression: { ${rego}, rego-rule-path: ${path} }\n      action: ${action}`,
  );

const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`;

let server: Server | null = null;
let redis: RedisServer | null = null;
afterEach(async () => {
  server?.close();
  server?.closeAllConnections();
  await redis?.stop();
  [server, redis] = [null, null];
});

async function serve(
  answer: (path: string, body: string, authorization: string) => [number, string | Buffer],
) {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const [status, text] = answer(request.url ?? '', body, request.headers.authorization ?? '');
      response.writeHead(status).end(text);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('a compiled policy', () => {
  it('allows if it returns true, and denies unless it returns false', async () => {
    const from = `location-type: file, path: ${WASM}`;
    expect(await allowed(rule('deny-all', 'allow', from), ...subjects)).toEqual([
      true,
      false,
      false,
    ]);
    expect(await allowed(rule('allow-all', 'deny', from), ...subjects)).toEqual([
      false,
      true,
      false,
    ]);
  });

  it.each(['data.matchers.text', 'data.matchers.broken'])(
    'decides against the transaction if %s is not a boolean',
    async (path) => {
      const from = `location-type: file, path: ${WASM}`;
      expect(await allowed(rule('deny-all', 'allow', from, path), subjects[0]!)).toEqual([false]);
      expect(await allowed(rule('allow-all', 'deny', from, path), subjects[0]!)).toEqual([false]);
    },
  );

  it('passes on that the request is refused while the transaction is read', async () => {
    const from = `location-type: file, path: ${WASM}`;
    const transactionJson = () => Promise.reject(new ForecourtError('OVERLOADED'));
    for (const policy of [rule('deny-all', 'allow', from), rule('allow-all', 'deny', from)]) {
      await expect(allowed(policy, subject({}, { transactionJson }))).rejects.toMatchObject({
        code: 'OVERLOADED',
      });
    }
  });

  it('is read from a URL or from Redis', async () => {
    const url = await serve(() => [200, readFileSync(WASM)]);
    const fromUrl = rule('deny-all', 'allow', `location-type: http, url: "${url}/policy.wasm"`);
    expect(await allowed(fromUrl, ...subjects)).toEqual([true, false, false]);
    redis = await startRedisServer({ appendfsync: 'no' });
    const client = new Redis(redis.url);
    await client.set('policy', readFileSync(WASM));
    client.disconnect();
    const place = `location-type: redis, url: "${redis.url}", redis-key: policy`;
    expect(await allowed(rule('deny-all', 'allow', place), ...subjects)).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('is read with the user name and password of its URL, which no error shows', async () => {
    const url = await serve((path, _body, authorization) =>
      path === '/policy.wasm' && authorization === basic('ann:p@ss')
        ? [200, readFileSync(WASM)]
        : [404, ''],
    );
    const rulesFrom = (path: string) => {
      const place = url.replace('http://', 'http://ann:p%40ss@') + path;
      return rule('deny-all', 'allow', `location-type: http, url: "${place}"`);
    };
    expect(await allowed(rulesFrom('/policy.wasm'), ...subjects)).toEqual([true, false, false]);
    await expect(allowed(rulesFrom('/other.wasm?key=k1'), subjects[0]!)).rejects.toThrow(
      new RegExp(`line 4: .*cannot be used: ${url}/other.wasm answered with status 404$`),
    );
  });

  it('hands what it prints to the reader of the rules, with its place', async () => {
    const folder = new TemporaryFolder();
    const evaluate = [...put(LONG), ...call(PRINT), ...put(YES)];
    const path = folder.write('printing.wasm', policyModule({ evaluate }));
    const text = rule('deny-all', 'allow', `location-type: file, path: ${path}`, 'data.a.b');
    const printed: object[] = [];
    const rules = await readAccessRules(text, '/rules.yaml', undefined, {
      onPrint: (one) => printed.push(one),
    });
    expect(await decide(rules, subjects[0]!)).toMatchObject({ outcome: 'allow' });
    const words: unknown = expect.stringContaining('one line\none line\n');
    expect(printed).toEqual([{ line: 4, rule: 'a/b', printed: words }]);
    folder.remove();
  });

  it('is refused without the requested rule, naming the rules it has', async () => {
    const from = `location-type: file, path: ${WASM}`;
    const text = rule('deny-all', 'allow', from, 'data.matchers.other');
    await expect(allowed(text, subjects[0]!)).rejects.toThrow(
      /line 4: .*no entrypoint matchers\/other, only matchers\/allowed/,
    );
  });
});

describe('an OPA server', () => {
  it('evaluates a rule through its REST API', async () => {
    const requests: [string, unknown][] = [];
    const url = await serve((path, body) => {
      requests.push([path, JSON.parse(body)]);
      if (body.includes('"commands":[]')) return [200, '{}'];
      return [200, JSON.stringify({ result: body.includes('build_car') })];
    });
    const text = rule('deny-all', 'allow', `location-type: opa-server, url: "${url}"`);
    expect(await allowed(text, ...subjects)).toEqual([true, false, false]);
    expect(requests[0]).toMatchObject([
      '/v1/data/matchers/allowed',
      { input: { transaction_data: { V1: {} } } },
    ]);
  });

  it('receives the user name and password of its URL', async () => {
    const url = await serve((_path, _body, authorization) => [
      200,
      JSON.stringify({ result: authorization === basic('ann:p@ss') }),
    ]);
    const place = url.replace('http://', 'http://ann:p%40ss@');
    const text = rule('deny-all', 'allow', `location-type: opa-server, url: "${place}"`);
    expect(await allowed(text, subjects[0]!)).toEqual([true]);
  });

  it('leaves the transaction undecided if its answer is unusable', async () => {
    let answers: [number, string] = [500, '{"result":true}'];
    const url = await serve(() => answers);
    const text = rule('allow-all', 'deny', `location-type: opa-server, url: "${url}"`);
    for (const answer of [answers, [200, 'true?'], [200, 'x'.repeat(70_000)]] as const) {
      answers = [...answer];
      await expect(allowed(text, subjects[0]!)).rejects.toMatchObject({ name: 'AccessUndecided' });
    }
  });
});
