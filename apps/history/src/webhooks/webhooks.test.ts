import { describe, expect, it } from '@jest/globals';
import { quarantineNewsKey, registerSponsor, thresholdsKey } from '@forecourt/coin-store';
import type { AnnouncedBudget } from '@forecourt/contracts';
import { waitUntil } from '@forecourt/testing/redis';
import { anEntry } from '../writing/history-writer.test-support.js';
import { ALL, TestWebhooks } from './test-webhooks.test-support.js';

const test = new TestWebhooks();

describe('a viewer', () => {
  const shop = { token: 'shop', user: null };
  const stranger = { token: 'other', user: null };
  const user = { token: 'shop', user: `0x${'1'.padStart(64, '0')}` };

  it('sees and changes only what its token owns', async () => {
    const webhooks = await test.start({ fleet: [test.hook('/fleet')] });
    await test.add(webhooks, 'a');
    await waitUntil(async () => (await test.list(webhooks, { status: 'delivered' })).length === 2);
    const { answers } = webhooks;
    const urlsFor = async (viewer: typeof shop | typeof user) => {
      const urls = (await answers.list({ viewer })).webhooks.map(({ url }) => url);
      const { data } = await answers.listDeliveries({ viewer, filters: {}, limit: 10 });
      expect(data.map(({ url }) => url).sort()).toEqual([...urls].sort());
      return urls;
    };
    expect(await urlsFor(shop)).toEqual([test.urlOf('/shop')]);
    expect(await urlsFor(stranger)).toEqual([]);
    expect(await urlsFor(user)).toEqual([]);
    const all = (await answers.list({ viewer: ALL })).webhooks.map(({ token }) => token);
    expect(all).toEqual([null, 'shop']);
    const id = (await test.list(webhooks, { url: test.urlOf('/shop') }))[0]!.id;
    for (const viewer of [stranger, user]) {
      const unknown = { code: 'WEBHOOK_UNKNOWN' };
      await expect(answers.redeliver({ viewer, id })).rejects.toMatchObject(unknown);
      await expect(answers.findDelivery({ viewer, id })).rejects.toMatchObject(unknown);
      const url = test.urlOf('/shop');
      await expect(answers.test({ viewer, url })).rejects.toMatchObject(unknown);
      await expect(answers.redeliverWaiting({ viewer, url })).rejects.toMatchObject(unknown);
    }
    const url = test.urlOf('/fleet');
    await expect(answers.test({ viewer: shop, url })).rejects.toMatchObject({
      code: 'WEBHOOK_UNKNOWN',
    });
    const { body, ...found } = await answers.findDelivery({ viewer: shop, id });
    expect([found.id, JSON.parse(body)]).toEqual([
      id,
      JSON.parse(test.receiver.received.find(({ path }) => path === '/shop')!.body),
    ]);
    // It may be delivered again before the answer is read.
    expect(await answers.redeliver({ viewer: shop, id })).toMatchObject({ id });
    await waitUntil(async () => test.keysAt('/shop').length === 2);
  });
});

describe('events of the fleet', () => {
  it('reach the fleet’s webhooks once, whatever number of replicas reads them', async () => {
    await test.redis.xadd('fc:operator-actions', '*', 'operator', 'ops', 'action', 'old');
    const replicas = [
      await test.start({ fleet: [test.hook('/fleet')] }),
      await test.start({ fleet: [test.hook('/fleet')] }),
    ];
    const readsFrom = async () =>
      (await test.tables.database.pool.query('select 1 from webhook_cursors')).rows.length === 2;
    await waitUntil(readsFrom);
    const action = ['operator', 'ops', 'action', 'pause', 'scope', 'everything', 'reason', 'test'];
    await test.redis.xadd('fc:operator-actions', '*', ...action);
    const low = ['type', 'sponsor.low', 'sponsor', '0x1', 'data', '{"usable_coins":3}'];
    await test.redis.xadd('fc:fleet-events', '*', ...low);
    await test.redis.xadd('fc:fleet-events', '*', 'type', 'sponsor.unheard-of', 'sponsor', '0x1');
    await test.redis.xadd('fc:fleet-events', '*', ...low.with(1, 'pool.resumed'));
    await waitUntil(
      async () => (await test.list(replicas[0]!, { status: 'delivered' })).length === 3,
    );
    const bodies = test.receiver.received.map(({ body }) => JSON.parse(body) as { type: string });
    expect(bodies.sort((a, b) => (a.type < b.type ? -1 : 1))).toMatchObject([
      {
        type: 'action.taken',
        data: { operator: 'ops', action: 'pause', scope: 'everything', reason: 'test' },
      },
      { type: 'pool.resumed' },
      { type: 'sponsor.low', data: { sponsor_address: '0x1', usable_coins: 3 } },
    ]);
    expect(await test.list(replicas[0]!)).toHaveLength(3);
  });
});

describe('a quarantine', () => {
  it('reaches the webhooks of its token and of the fleet, once', async () => {
    const sponsor = '0x5';
    await registerSponsor(test.redis, sponsor);
    const fleet = { fleet: [test.hook('/fleet')] };
    const replicas = [await test.start(fleet), await test.start(fleet)];
    const { pool } = test.tables.database;
    const key = quarantineNewsKey(sponsor);
    await waitUntil(
      async () =>
        (await pool.query('select from webhook_cursors where stream = $1', [key])).rowCount === 1,
    );
    const stored = { ...anEntry({ digest: 'D7' }), state: 'quarantined', ended: '' };
    await test.redis.xadd(key, '*', ...Object.entries<string>(stored).flat());
    await waitUntil(
      async () => (await test.list(replicas[0]!, { status: 'delivered' })).length === 2,
    );
    const { received } = test.receiver;
    expect(received.map(({ path }) => path).sort()).toEqual(['/fleet', '/shop']);
    for (const { body } of received) {
      expect(JSON.parse(body)).toMatchObject({
        type: 'sponsorship.quarantined',
        data: { status: 'quarantined', digest: 'D7', token: 'shop', ended_at: null },
      });
    }
  });
});

describe('a threshold of a budget', () => {
  const sponsor = '0x7';
  const ofShop: AnnouncedBudget = {
    kind: 'token',
    name: 'shop',
    rule_set: null,
    token: 'shop',
    counts: 'gas',
    limit: '1000',
    window_secs: 60,
    ends_at: null,
  };
  const add = (budget: AnnouncedBudget, threshold = '80') => {
    const counted = ['used', '810', 'counter', 'c', 'window', '1760000000000'];
    const fields = ['threshold', threshold, ...counted, 'budget', JSON.stringify(budget)];
    return test.redis.xadd(thresholdsKey(sponsor), '*', ...fields);
  };

  it('reaches the webhooks of its token and of the fleet once, also if Redis has forgotten it', async () => {
    await registerSponsor(test.redis, sponsor);
    const fleet = { fleet: [test.hook('/fleet')] };
    const replicas = [await test.start(fleet), await test.start(fleet)];
    const { pool } = test.tables.database;
    const query = 'select from webhook_cursors where stream = $1';
    await waitUntil(async () => (await pool.query(query, [thresholdsKey(sponsor)])).rowCount === 1);
    await add(ofShop);
    await add(ofShop);
    // A rule may count other tokens too, and one that counts only this token is not a budget of it.
    await add({ ...ofShop, kind: 'rule', name: 'swaps', window_secs: null, ends_at: 5 }, '50');
    await add({ ...ofShop, kind: 'sponsor', name: 'sponsor-budget', token: null }, '100');
    await waitUntil(
      async () => (await test.list(replicas[0]!, { status: 'delivered' })).length === 4,
    );
    const messages = test.receiver.received.map(({ path, body }) => {
      const { type, data } = JSON.parse(body) as { type: string; data: Record<string, unknown> };
      expect(type).toBe('budget.threshold');
      return { path, data };
    });
    const messagesOf = (path: string, threshold: number) =>
      messages.filter((one) => one.path === path && one.data['threshold'] === threshold);
    expect(messagesOf('/shop', 80).map(({ data }) => data)).toEqual([
      {
        sponsor_address: sponsor,
        threshold: 80,
        ...ofShop,
        used: '810',
        renewed_at: 1_760_000_060_000,
      },
    ]);
    expect(messagesOf('/fleet', 80)).toHaveLength(1);
    expect(messagesOf('/fleet', 50)[0]!.data).toMatchObject({
      name: 'swaps',
      renewed_at: null,
      ends_at: 5,
    });
    expect(messagesOf('/fleet', 100)[0]!.data).toMatchObject({ kind: 'sponsor', token: null });
    expect(messages.filter(({ path }) => path === '/shop')).toHaveLength(1);
    expect(await test.list(replicas[0]!)).toHaveLength(4);
  });
});
