import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import {
  type Application,
  buildSponsored,
  call,
  executeTx,
  reserved,
  reserveGas,
  sponsor,
} from '../support/application.js';
import { system, TOKENS } from '../support/systems/token-system.js';
import { applicationOf, hashOf, tokensFile } from '../support/tokens-file.js';

const FORECOURT = fileURLToPath(new URL('../../../apps/cli/bin/forecourt.mjs', import.meta.url));

const as = (name: string, application = system.application) => applicationOf(name, application);
const reload = (by: Application) => call(by, 'GET', '/v1/reload_access_controller');

const writeTokens = (entries: string) => system.files.write('tokens.yaml', tokensFile(entries));

describe('tokens', () => {
  it('permit the actions of their role only', async () => {
    expect((await sponsor(as('shop'))).answer.status).toBe(200);
    expect((await reload(as('admin'))).status).toBe(200);
    const wrong = [
      await reserveGas(as('admin')),
      await call(as('admin'), 'POST', '/v1/execute_tx', { reservation_id: 1 }),
      await reload(as('shop')),
      await call(as('shop'), 'POST', '/debug_health_check'),
    ];
    expect(wrong.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    expect(wrong[0]!.body.error).toBe('Token lacks the role sponsor');
    expect((await reload(system.application)).status).toBe(200);
  });

  it('are refused if they are unknown, expired, or only a hash', async () => {
    for (const token of ['late-token', hashOf('shop-token'), 'shop']) {
      const answer = await reserveGas({ ...system.application, token });
      expect([answer.status, answer.body.error]).toEqual([401, 'Invalid authorization token']);
    }
  });

  it('identify callers: none can use another’s reservation', async () => {
    const reservation = await reserved(as('shop'));
    const transaction = await buildSponsored(as('shop'), reservation);
    const stolen = await executeTx(as('poor'), reservation, transaction);
    expect(stolen.body.error).toBe(`Reservation ${reservation.reservation_id} not found`);
    expect((await executeTx(as('shop'), reservation, transaction)).status).toBe(200);
  });

  it('have separate rules', async () => {
    const answers = [await reserveGas(as('guest')), await reserveGas(as('strict'))];
    expect(answers.map(({ status }) => status)).toEqual([403, 403]);
    expect(answers[0]!.body.error).toBe('The access rules do not allow this reservation');
  });

  it('are limited in their request rate, over all gateways', async () => {
    const [first, second] = system.applications;
    const ask = (application: Application) => reserveGas(as('fast', application));
    const statuses = [];
    for (const application of [first, second, first])
      statuses.push((await ask(application!)).status);
    expect(statuses).toEqual([200, 200, 200]);
    const refused = await ask(second!);
    expect(refused.status).toBe(429);
    expect(refused.body.error).toMatch(/Too many requests/);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_000);
    expect((await reserveGas(as('shop'))).status).toBe(200);
  });

  it('are limited in coins, at once and per minute', async () => {
    const held = [await reserved(as('frugal')), await reserved(as('frugal'))];
    const third = await reserveGas(as('frugal'));
    expect([third.status, third.body.error]).toEqual([
      429,
      'Token has reached its reservation limit (coins); try again later',
    ]);
    const used = await buildSponsored(as('frugal'), held[0]!);
    expect((await executeTx(as('frugal'), held[0]!, used)).status).toBe(200);
    expect((await reserveGas(as('frugal'), 990_000_001)).body.error).toMatch(/\(budget\)/);
    expect((await reserveGas(as('frugal'), 1_000)).status).toBe(200);

    const greedy = await Promise.all(Array.from({ length: 4 }, () => reserveGas(as('greedy'))));
    expect(greedy.map(({ status }) => status).sort()).toEqual([200, 200, 429, 429]);
    const limited = greedy.find(({ status }) => status === 429)!;
    expect(limited.body.error).toMatch(/\(coins-per-minute\)/);
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(30);
  });

  it('are limited in the gas that they spend', async () => {
    expect((await sponsor(as('poor'))).answer.status).toBe(200);
    const { answer } = await sponsor(as('poor'));
    expect(answer.status).toBe(429);
    expect(answer.body.error).toMatch(
      /^Spending limit reached: gas <= .+ IOTA in 1 day, the budget of token poor; it is renewed within \d+ s$/,
    );
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(80_000);
    const smaller = await sponsor(as('poor'), { gasBudget: 6_000_000 });
    expect(smaller.answer.status).toBe(200);
  });

  it('are rotated without an interruption, and reservations stay valid', async () => {
    const rotated = (...tokens: string[]) =>
      TOKENS.replace(hashOf('shop-token'), `[${tokens.map(hashOf).join(', ')}]`);
    const reservation = await reserved(as('shop'));
    writeTokens(rotated('shop-token', 'new-token'));
    const [first, second] = system.applications;
    // This lasts only briefly: the call is repeated, and other callers need coins as well.
    const ask = async (application: Application) =>
      (await reserveGas(application, 10_000_000, 1)).status;
    for (const application of [first!, second!]) {
      await system.until(async () => (await ask({ ...application, token: 'new-token' })) === 200);
      expect(await ask(as('shop', application))).toBe(200);
    }
    writeTokens(rotated('new-token'));
    for (const application of [first!, second!]) {
      await system.until(async () => (await ask(as('shop', application))) === 401);
    }
    const transaction = await buildSponsored(system.application, reservation);
    const renewed = { ...system.application, token: 'new-token' };
    expect((await executeTx(renewed, reservation, transaction)).status).toBe(200);
  });

  it.each([
    ['name: a\n    role: sponsor', /line 2: tokens has no hash|has no hash/],
    [
      `name: a\n    hash: ${hashOf('a')}\n    role: boss`,
      /line 4: role must be sponsor, operator, auditor/,
    ],
    [`name: a\n    hash: abc\n    role: sponsor`, /line 3: hash must be a SHA-256/],
    [
      `name: default\n    hash: ${hashOf('a')}\n    role: sponsor`,
      /line 2: .*duplicates the name of another token, default/,
    ],
    [
      `name: a\n    hash: ${hashOf('a')}\n    role: sponsor\n    budgets: 1`,
      /line 5: a token has an unknown key: budgets/,
    ],
    [
      `name: a\n    hash: ${hashOf('a')}\n    role: sponsor\n    rule-set: none`,
      /token a names the rule set none/,
    ],
  ])('stay unchanged if the file has a mistake: %p', async (mistaken, reason) => {
    writeTokens(`  - ${mistaken}`);
    const answer = await reload(system.application);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatch(reason);
    expect(answer.body.error).toMatch(/^TOKENS_FILE/);
    writeTokens(TOKENS);
    expect((await reload(system.application)).status).toBe(200);
  });

  it('never appear in the logs, which contain their names instead', () => {
    const logs = system
      .services('gateway')
      .map(({ options }) => readFileSync(options.logFile, 'utf8'))
      .join('');
    expect(logs).toMatch(/"caller":"shop"/);
    expect(logs).not.toMatch(/-token/);
    expect(logs).not.toContain(system.application.token);
  });
});

describe('npm run forecourt -- token', () => {
  it('prints a new token and its entry, which the gateway accepts', async () => {
    const made = execFileSync(process.execPath, [
      FORECOURT,
      'token',
      '--name',
      'made',
      '--role',
      'sponsor',
      '--expires',
      '2d',
    ]).toString();
    const [token, , ...lines] = made.trimEnd().split('\n');
    expect(token).toMatch(/^fc_[\w-]{43}$/);
    writeTokens([TOKENS, ...lines].join('\n'));
    expect((await reload(system.application)).status).toBe(200);
    expect((await reserveGas({ ...system.application, token: token! })).status).toBe(200);
  });

  it.each([
    [['--name', 'a b'], '--name must be 1 to 64 letters'],
    [['--name', 'app', '--role', 'admin'], '--role must be sponsor, operator, auditor, not admin'],
    [
      ['--name', 'app', '--user-keys', '--role', 'operator'],
      'users, who may only have the role sponsor',
    ],
  ])('refuses %j, which no gateway would accept', (args, message) => {
    const { status, stderr } = spawnSync(process.execPath, [FORECOURT, 'token', ...args]);
    expect(status).toBe(2);
    expect(String(stderr)).toContain(message);
  });
});
