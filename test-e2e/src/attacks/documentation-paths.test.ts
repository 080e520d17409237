import { beforeAll, describe, expect, it } from '@jest/globals';
import { chooseSeed } from '@forecourt/testing/seed';
import { Seeded } from '../support/seeded.js';
import { exchange, type RawAnswer } from './fuzz/http-exchange.js';
import { judge } from './fuzz/judge.js';
import { system } from '../support/systems/usual-system.js';

const TARGETS = 400;

const seed = chooseSeed();
const ROUTES = ['/docs', '/docs/', '/openapi.json', '/version', '/v1/reserve_gas', '/health', '/'];
const PIECES = [
  '..',
  '.',
  '/',
  '//',
  '\\',
  '%00',
  '%0a',
  '%20',
  '%2e%2e',
  '%2f',
  '%5c',
  '%25',
  '%',
  '%zz',
  '%ff',
  '%c0%ae',
  '%C3%A9',
  '?',
  '?a=%00',
  '#',
  ';',
  '*',
  ':',
  '~',
  'index.html',
  'LICENSE',
  'package.json',
  'swagger-ui.css',
  'SWAGGER-UI.CSS',
  'swagger-ui.css/',
  'constructor',
  'a'.repeat(300),
  'a'.repeat(6_000),
  '/a'.repeat(500),
  '../'.repeat(50),
];
const METHODS = ['GET', 'GET', 'GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH', 'TRACE'];

const logOfGateway = () => system.services('gateway')[0]!.log();

let url: string;
let logged: number;
beforeAll(async () => {
  url = system.application.url;
  logged = (await logOfGateway()).length;
});

const answerTo = (target: string, method = 'GET'): Promise<RawAnswer> =>
  exchange(url, { method, path: target, headers: {}, body: null });

/** The gateway's new log lines about unexpected errors. */
const unforeseen = async () =>
  (await logOfGateway())
    .slice(logged)
    .split('\n')
    .filter((line) => /unexpected error|"stack"|\\n {4}at /.test(line));

describe('paths that lead nowhere', () => {
  it.each([
    '/docs/..',
    '/docs/../',
    '/docs/%2e%2e',
    '/docs/.',
    '/docs/%00',
    '/docs//',
    '/docs//a',
    '/docs/a%5cb',
    '/docs/LICENSE',
    '/docs/package.json',
    '/docs/SWAGGER-UI.CSS',
    '/docs/swagger-ui.css/',
    '/openapi.json/..',
    '/version/..',
  ])('answer 404: %s', async (target) => {
    const { status, body } = await answerTo(target);
    expect([status, JSON.parse(body)]).toEqual([404, { error: expect.any(String) }]);
  });

  it.each([1_000, 6_000, 12_000])(
    'are refused when they are %i characters long',
    async (length) => {
      for (const prefix of ['/docs/', '/openapi.json/', '/', '/v1/']) {
        const answer = await answerTo(prefix + 'a'.repeat(length));
        expect([answer.status, judge(answer, 'GET')]).toEqual([404, null]);
      }
    },
  );

  it('are refused in every form of the request’s target', async () => {
    for (const [method, target] of [
      ['GET', 'http://other.example/docs/..'],
      ['GET', 'http://other.example/docs/%00'],
      ['GET', 'docs/..'],
      ['OPTIONS', '*'],
    ] as const) {
      const answer = await answerTo(target, method);
      expect([target, answer.status, judge(answer, method)]).toEqual([
        target,
        expect.any(Number),
        null,
      ]);
      expect(answer.status).toBeGreaterThanOrEqual(400);
    }
  });

  it(`are refused in any combination of path segments (seed ${seed})`, async () => {
    const seeded = new Seeded(seed);
    const faults: unknown[] = [];
    for (let sent = 0; sent < TARGETS; sent++) {
      const pieces = Array.from({ length: seeded.integer(1, 4) }, () => seeded.pick(PIECES));
      const target = seeded.pick(ROUTES) + pieces.join('');
      const method = seeded.pick(METHODS);
      const wrong = judge(await answerTo(target.slice(0, 12_000), method), method);
      if (wrong !== null) faults.push({ method, target: target.slice(0, 100), wrong });
    }
    expect(faults).toEqual([]);
  });

  it('leave no line in the log that looks like a defect of the service', async () => {
    expect(await unforeseen()).toEqual([]);
  });
});

describe('the page of the documentation', () => {
  it('is served with all its parts', async () => {
    const page = await fetch(`${url}/docs`);
    expect([page.status, page.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining('text/html'),
    ]);
    const files = [...(await page.text()).matchAll(/(?:src|href)="(?:\.\/)?(docs\/[^"]+)"/g)];
    expect(files.length).toBeGreaterThan(3);
    for (const [, file] of files) {
      const answer = await fetch(`${url}/${file}?cache=no`);
      await answer.arrayBuffer();
      expect([file, answer.status]).toEqual([file, 200]);
    }
  });
});
