import { beforeEach, describe, expect, it } from '@jest/globals';
import { setClock, useTables } from '../history.test-support.js';
import { WebhookRecords } from './webhook-records.js';
import { addDeliveries, DELIVER_WITHIN_MS } from './delivery-outbox.js';
import { DeliveryStore } from './delivery-store.js';
import { concludeAttempt } from './delivery-turn.js';
import { MOST_ATTEMPTS } from './retry-schedule.js';
import { anAttempt, aReceiver, anEvent, directoryOf } from './deliveries.test-support.js';
import { deliveryIdOf } from './webhook-directory.js';

const tables = useTables();

const NOW = 1_800_000_000_000;
const shop = aReceiver('https://shop.example/');
const other = aReceiver('https://other.example/', 'other');
const fleet = aReceiver('https://ops.example/', null);
const all = [shop, other, fleet];
const ids = all.map(({ id }) => id);
const directory = directoryOf(all);

let store: DeliveryStore;
let records: WebhookRecords;
beforeEach(async () => {
  store = new DeliveryStore(tables.database.pool);
  records = new WebhookRecords(tables.database.readers);
  await setClock(tables, NOW);
  await tables.database.pool.query('truncate webhook_deliveries, webhook_receivers cascade');
});

const add = (keys: readonly string[], token = 'shop') =>
  addDeliveries(
    tables.database.pool,
    directory,
    keys.map((key) => anEvent(key, token)),
  );
const due = () => store.findDueReceivers(ids);
const idOf = (key: string, receiver = shop) => deliveryIdOf(receiver, key);
/** Found by a turn that ends now. */
const failed = { failures: 2, restMs: 10, succeededMsAgo: null, failedMsAgo: 0 };
const find = (key: string) => records.findDelivery(null, idOf(key));

describe('adding deliveries', () => {
  it('adds one for each receiver of the token and of the fleet', async () => {
    expect(await add(['a'])).toEqual(new Set([shop.id, fleet.id]));
    expect((await due()).map(({ id }) => id).sort()).toEqual([shop.id, fleet.id].sort());
    expect(await find('a')).toEqual({
      id: idOf('a'),
      token: 'shop',
      url: 'https://shop.example/',
      type: 'sponsorship.executed',
      status: 'waiting',
      created_at: 1_000,
      next_attempt_at: NOW,
      attempts: [],
    });
  });

  it('adds those of large events in statements of bounded size', async () => {
    const data = { text: 'x'.repeat(3_000_000) };
    const events = ['a', 'b', 'c'].map((key) => ({ ...anEvent(key), data }));
    const lengths: number[] = [];
    const database = {
      query: (text: string, values: unknown[] = []) => {
        lengths.push((values[5] as string[]).join('').length);
        return tables.database.pool.query(text, values);
      },
    };
    const receivers = await addDeliveries(database, directory, events);
    expect(receivers).toEqual(new Set([shop.id, fleet.id]));
    expect(lengths.map((length) => Math.round(length / 1_000_000))).toEqual([6, 6, 6]);
    expect((await find('c'))?.status).toBe('waiting');
  });

  it('adds an event that is read again no second time', async () => {
    await add(['a', 'b']);
    expect(await add(['b', 'c'])).toEqual(new Set([shop.id, fleet.id]));
    expect(await add(['a', 'b', 'c'])).toEqual(new Set());
    const { deliveries } = await store.findDue(shop.id, 10);
    expect(deliveries.map(({ id }) => id).sort()).toEqual(
      ['a', 'b', 'c'].map((key) => idOf(key)).sort(),
    );
  });

  it('adds nothing with a transaction that is rolled back', async () => {
    const client = await tables.database.pool.connect();
    await client.query('begin');
    await addDeliveries(client, directory, [anEvent('a')]);
    await client.query('rollback');
    client.release();
    expect(await due()).toEqual([]);
  });

  it('adds nothing for a receiver that answered 410', async () => {
    await store.end(shop);
    expect(await add(['a'])).toEqual(new Set([fleet.id]));
    await records.revive(shop);
    expect(await add(['b'])).toEqual(new Set([shop.id, fleet.id]));
  });
});

describe('a delivery', () => {
  const fail = (key: string, count: number) =>
    store.record(concludeAttempt(idOf(key), count, anAttempt()));

  it('is due again after a failure, and undelivered after the last one', async () => {
    await add(['a']);
    for (let count = 1; count <= MOST_ATTEMPTS; count += 1) {
      const { deliveries } = await store.findDue(shop.id, 10);
      expect(deliveries).toMatchObject([{ id: idOf('a'), attempts: count - 1 }]);
      await fail('a', count);
      expect((await store.findDue(shop.id, 10)).deliveries).toEqual([]);
      await setClock(tables, (await find('a'))!.next_attempt_at ?? NOW);
    }
    const ended = (await find('a'))!;
    expect(ended.attempts.at(-1)!.at).toBeLessThan(NOW + DELIVER_WITHIN_MS);
    expect(ended).toMatchObject({ status: 'undelivered', next_attempt_at: null });
    expect(ended.attempts.length).toBe(MOST_ATTEMPTS);
    expect(ended.attempts[0]).toEqual({ at: NOW - 10, ...anAttempt() });
  });

  it('stays delivered when an attempt beside it failed', async () => {
    await add(['a']);
    await store.record(concludeAttempt(idOf('a'), 1, anAttempt(null)));
    await fail('a', 1);
    expect(await find('a')).toMatchObject({ status: 'delivered', attempts: [{}, {}] });
  });

  it('is undelivered after three days however few attempts it had', async () => {
    await add(['a']);
    await setClock(tables, NOW + DELIVER_WITHIN_MS - 1);
    await store.expire();
    expect(await find('a')).toMatchObject({ status: 'waiting' });
    await setClock(tables, NOW + DELIVER_WITHIN_MS);
    await store.expire();
    expect(await find('a')).toMatchObject({ status: 'undelivered' });
  });

  it('is tried again from the first attempt when it is redelivered', async () => {
    await add(['a']);
    await fail('a', MOST_ATTEMPTS);
    await store.noteHealth(shop, { ...failed, restMs: 1e9 });
    await records.redeliver(idOf('a'), shop.id);
    expect((await store.findDue(shop.id, 10)).deliveries).toMatchObject([{ attempts: 0 }]);
    expect(await find('a')).toMatchObject({ status: 'waiting', attempts: [{ at: NOW - 10 }] });
  });

  it('is tried again with all others that wait for its receiver, whose last error is shown', async () => {
    await add(['a', 'b', 'c']);
    await store.record(concludeAttempt(idOf('a'), 1, anAttempt(null)));
    await fail('b', 3);
    await store.noteHealth(shop, { ...failed, restMs: 1e9 });
    const readReceiver = async () => (await records.findReceivers([shop.id]))[0]!;
    // Many that were not tried yet wait beside the one that failed.
    const untried = Array.from({ length: 30 }, (_, index) => `untried ${index}`);
    await add(untried);
    expect(await readReceiver()).toMatchObject({ waiting: 32, last_error: anAttempt().error });
    await tables.database.pool.query(
      `update webhook_deliveries set status = 'undelivered' where id = any($1)`,
      [untried.map((key) => idOf(key))],
    );
    expect(await readReceiver()).toMatchObject({ waiting: 2, last_error: anAttempt().error });
    expect(await records.redeliverWaiting(shop.id)).toBe(2);
    const { deliveries } = await store.findDue(shop.id, 10);
    expect(deliveries.map(({ id, attempts }) => [id, attempts]).sort()).toEqual(
      [
        [idOf('b'), 0],
        [idOf('c'), 0],
      ].sort(),
    );
    expect(await find('a')).toMatchObject({ status: 'delivered' });
    await store.noteHealth(shop, { failures: 0, restMs: 0, succeededMsAgo: -1, failedMsAgo: null });
    expect(await readReceiver()).toMatchObject({ last_error: null });
  });

  it('is deleted with its attempts when it has ended long ago', async () => {
    await add(['a', 'b']);
    await store.record(concludeAttempt(idOf('a'), 1, anAttempt(null)));
    expect(await store.deleteOld(NOW - 1_000)).toBe(false);
    expect(await find('a')).not.toBeNull();
    expect(await store.deleteOld(NOW - 1_001)).toBe(false);
    expect([await find('a'), (await find('b'))?.status]).toEqual([null, 'waiting']);
    expect((await tables.database.pool.query('select from webhook_attempts')).rows).toEqual([]);
  });

  it('is deleted beside those that another replica is deleting', async () => {
    await add(['a', 'b']);
    for (const key of ['a', 'b']) {
      await store.record(concludeAttempt(idOf(key), 1, anAttempt(null)));
    }
    await tables.database.transaction(async (client) => {
      await client.query('select from webhook_deliveries where id = $1 for update', [idOf('a')]);
      await store.deleteOld(NOW - 1_001);
    });
    expect([(await find('a'))?.status, await find('b')]).toEqual(['delivered', null]);
  });
});

describe('a receiver', () => {
  it('gets nothing while it rests', async () => {
    await add(['a']);
    await store.noteHealth(shop, failed);
    await setClock(tables, NOW + 9);
    expect((await due()).map(({ id }) => id)).toEqual([fleet.id]);
    expect((await store.findDue(shop.id, 10)).deliveries).toEqual([]);
    await setClock(tables, NOW + 10);
    expect(await due()).toContainEqual({ id: shop.id, failures: 2 });
    expect(await store.findDue(shop.id, 10)).toMatchObject({ failures: 2 });
  });

  it('remembers its last success and failure, and counts what waits', async () => {
    await add(['a', 'b']);
    const success = { failures: 0, restMs: 0, succeededMsAgo: 3, failedMsAgo: null };
    await store.noteHealth(shop, success);
    await store.noteHealth(shop, { ...success, failures: 1, succeededMsAgo: null, failedMsAgo: 1 });
    await store.noteHealth(shop, { ...success, succeededMsAgo: 7 });
    expect(await records.findReceivers([other.id, shop.id])).toEqual([
      {
        id: other.id,
        ended_at: null,
        last_success_at: null,
        last_failure_at: null,
        last_error: null,
        waiting: 0,
      },
      {
        id: shop.id,
        ended_at: null,
        last_success_at: NOW - 3,
        last_failure_at: NOW - 1,
        last_error: null,
        waiting: 2,
      },
    ]);
  });

  it('that answered 410 leaves nothing waiting', async () => {
    await add(['a', 'b']);
    await store.end(shop);
    expect(await find('a')).toMatchObject({ status: 'undelivered' });
    expect(await records.findReceivers([shop.id])).toMatchObject([{ ended_at: NOW, waiting: 0 }]);
    expect((await due()).map(({ id }) => id)).toEqual([fleet.id]);
  });
});

describe('the list of deliveries', () => {
  const list = async (owner: string | null, filters: object, limit = 10, before?: string) => {
    const page = await records.listDeliveries(owner, filters, limit, before);
    return { ids: page.data.map(({ id }) => id), next: page.next };
  };

  it('shows an owner its own and no others', async () => {
    await add(['a']);
    await add(['b'], 'other');
    expect((await list('shop', {})).ids).toEqual([idOf('a')]);
    expect((await list('other', {})).ids).toEqual([idOf('b', other)]);
    expect((await list('nobody', {})).ids).toEqual([]);
    expect((await list(null, {})).ids.length).toBe(4);
    expect(await records.findDelivery('other', idOf('a'))).toBeNull();
  });

  it('is filtered by status, URL and time', async () => {
    await add(['a', 'b']);
    await store.record(concludeAttempt(idOf('a'), 1, anAttempt(null)));
    expect((await list(null, { status: 'delivered' })).ids).toEqual([idOf('a')]);
    expect((await list(null, { url: 'https://ops.example/' })).ids.length).toBe(2);
    expect((await list(null, { from: 1_000, to: 1_000 })).ids.length).toBe(4);
    expect((await list(null, { from: 1_001 })).ids).toEqual([]);
    expect((await list(null, { to: 999 })).ids).toEqual([]);
  });

  it('has every delivery once in its pages, while new ones are added', async () => {
    const keys = Array.from({ length: 25 }, (_, index) => `k${index}`);
    await add(keys);
    const seen: string[] = [];
    let next: string | null | undefined;
    do {
      const page = await list('shop', {}, 10, next ?? undefined);
      seen.push(...page.ids);
      next = page.next;
      const newer = anEvent(`new ${seen.length}`);
      await addDeliveries(tables.database.pool, directory, [{ ...newer, at: 2_000 }]);
    } while (next !== null);
    expect(seen.sort()).toEqual(keys.map((key) => idOf(key)).sort());
  });
});
