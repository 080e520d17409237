import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { verifyWebhook, type WebhookMessage } from '@forecourt/client/webhooks';
import { thresholdsKey } from '@forecourt/coin-store';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import {
  type Answer,
  buildSponsored,
  call,
  executeTx,
  reserved,
  sponsor,
} from '../support/application.js';
import { system, TOKENS } from '../support/systems/webhook-system.js';
import { applicationOf, tokenEntry, tokensFile } from '../support/tokens-file.js';

const EXECUTE = 'iota_executeTransactionBlock';
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
// The callers are other ones than in the tests that share the system, which would see their deliveries.
const PATHS = ['/kiosk', '/neighbour', '/fleet'];

let server: Server;
let redis: Redis;
const received: { path: string; headers: IncomingHttpHeaders; body: string }[] = [];
const urlOf = (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
const ops = () => applicationOf('ops', system.application);
const hook = (path: string) => `{ url: '${urlOf(path)}', secret: ${SECRET} }`;

/**
 * Writes the file of tokens and waits until the fleet uses it. `campaign`: when the total of `campaign` ends,
 * and its value.
 */
async function setTokens(campaign: string): Promise<void> {
  const entries = [
    tokenEntry('kiosk', [
      'role: sponsor',
      'budget: { value: 95_000_000, window: 1 hour }',
      `webhooks: [${hook('/kiosk')}]`,
    ]),
    tokenEntry('neighbour', ['role: sponsor', `webhooks: [${hook('/neighbour')}]`]),
    tokenEntry('campaign', ['role: sponsor', `budget: ${campaign}`]),
    tokenEntry('ops', ['role: operator']),
  ];
  const fleet = `fleet-webhooks: [${hook('/fleet')}]\n`;
  system.files.write(TOKENS, tokensFile(...entries) + fleet);
  await system.until(
    async () => (await call(ops(), 'GET', '/v1/reload_access_controller')).status === 200,
  );
}

/** The verified messages about thresholds at a path. */
async function messagesAt(path: string): Promise<WebhookMessage[]> {
  const there = received.filter((one) => one.path === path);
  const messages = await Promise.all(there.map((one) => verifyWebhook(one, { secret: SECRET })));
  return messages.filter(({ type }) => type === 'budget.threshold');
}

const thresholdsAt = async (path: string) =>
  (await messagesAt(path)).map(({ data }) => data['threshold']).toSorted();

/**
 * Executes transactions of one token at all gateways at once; all are counted before the first one settles.
 */
async function executeAtOnce(name: string, count: number): Promise<Answer[]> {
  const users = Array.from({ length: count }, (_, i) =>
    applicationOf(name, system.applications[i % system.applications.length]!),
  );
  const reservations = await Promise.all(users.map((application) => reserved(application)));
  const transactions = await Promise.all(
    reservations.map((reservation, i) => buildSponsored(users[i]!, reservation)),
  );
  await system.control.fault({ kind: 'latency', ms: 3_000, method: EXECUTE });
  const answers = await Promise.all(
    reservations.map((reservation, i) => executeTx(users[i]!, reservation, transactions[i]!)),
  );
  await system.control.clearFaults();
  return answers;
}

beforeAll(async () => {
  redis = new Redis(system.redisUrl);
  server = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ path: request.url ?? '', headers: request.headers, body });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  await setTokens('{ value: 1 IOTA, until: 2090-01-01 }');
  await system.until(async () => {
    const { body } = await call(ops(), 'GET', '/v1/webhooks');
    const { webhooks } = body.result as unknown as { webhooks: { url: string }[] };
    return PATHS.every((path) => webhooks.some(({ url }) => url === urlOf(path)));
  });
});
afterAll(() => {
  redis.disconnect();
  server.close();
  server.closeAllConnections();
});

describe('a budget', () => {
  it('tells its token and the fleet once of each threshold that two gateways reach at once', async () => {
    expect(system.applications).toHaveLength(2);
    const answers = await executeAtOnce('kiosk', 12);
    // Nine of ten million each fit; the next one does not fit.
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(9);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(3);
    await system.until(
      async () =>
        (await messagesAt('/kiosk')).length >= 3 && (await messagesAt('/fleet')).length >= 3,
    );
    const { sponsor_address } = await reserved(system.application);
    const entries = await redis.xlen(thresholdsKey(sponsor_address));
    expect(entries).toBe(3);
    expect(await thresholdsAt('/kiosk')).toEqual([100, 50, 80]);
    expect(await thresholdsAt('/fleet')).toEqual([100, 50, 80]);
    expect(await thresholdsAt('/neighbour')).toEqual([]);
    const [half] = (await messagesAt('/kiosk')).filter(({ data }) => data['threshold'] === 50);
    expect(half!.data).toEqual({
      sponsor_address,
      threshold: 50,
      kind: 'token',
      name: 'kiosk',
      rule_set: null,
      token: 'kiosk',
      counts: 'gas',
      limit: '95000000',
      used: '50000000',
      window_secs: 3_600,
      ends_at: null,
      renewed_at: expect.any(Number),
    });
    const leftMs = (half!.data['renewed_at'] as number) - Date.now();
    expect(leftMs).toBeGreaterThan(3_000_000);
    expect(leftMs).toBeLessThan(3_600_000);
    const metrics = await Promise.all(
      system.services('coin-pool').map(async ({ metricsUrl }) => (await fetch(metricsUrl)).text()),
    );
    for (const threshold of [50, 80, 100]) {
      const name = 'forecourt_budget_threshold_reached_timestamp_seconds';
      const labels = `{kind="token",name="kiosk",sponsor="${sponsor_address}",threshold="${threshold}"}`;
      expect(metrics.join('\n')).toContain(`${name}${labels} `);
    }
  });

  it('tells again in the next window', async () => {
    received.splice(0);
    const counters = await redis.keys('fc:{*}:usage:*');
    for (const counter of counters) await redis.pexpire(counter, 1);
    const answers = await executeAtOnce('kiosk', 5);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    await system.until(async () => (await messagesAt('/kiosk')).length > 0);
    expect(await thresholdsAt('/kiosk')).toEqual([50]);
  });
});

describe('a campaign', () => {
  it('ends at its time, and goes on with what it has used when it is extended', async () => {
    const campaign = applicationOf('campaign', system.application);
    expect((await sponsor(campaign)).answer.status).toBe(200);
    await setTokens('{ value: 1 IOTA, until: 2020-01-31T12:00:00Z }');
    const ended = (await sponsor(campaign)).answer;
    expect(ended.status).toBe(429);
    expect(ended.headers.get('retry-after')).toBeNull();
    expect(ended.body.error).toContain('the campaign ended at 2020-01-31T12:00:00.000Z');
    // The first transaction has used more than the rest of ten million.
    await setTokens('{ value: 10_100_000, until: 2090-01-01 }');
    const full = (await sponsor(campaign)).answer;
    expect(full.status).toBe(429);
    expect(full.headers.get('retry-after')).toBeNull();
    expect(full.body.error).toContain('it is used up, and is not renewed');
    await setTokens('{ value: 1 IOTA, until: 2090-01-01 }');
    expect((await sponsor(campaign)).answer.status).toBe(200);
  });
});
