import { describe, expect, it } from '@jest/globals';
import type { ReadChangesMessage } from '@forecourt/contracts';
import { waitUntil } from '@forecourt/testing/system';
import {
  idsOf,
  RECORDS,
  startStreamApp,
  untilHas,
  useStreamApp,
} from './stream-app.test-support.js';

const gateway = useStreamApp();

describe('a stream that is resumed', () => {
  it('has each change once, at any gateway, whatever their feeds have read', async () => {
    const other = await startStreamApp(gateway.log);
    const witness = await other.open('all', RECORDS);
    const seen: number[] = [];
    let lastEventId: string | undefined;
    let next = 64;
    const add = () => {
      gateway.log.change(next, 'shop', { stream: String((next / 64) % 2) });
      next += 64;
    };
    for (const at of [gateway.app, other, gateway.app, gateway.app, other, other]) {
      for (let n = 0; n < 3; n++) add();
      const stream = await at.open('shop', RECORDS, { lastEventId });
      add();
      const expected = lastEventId === undefined ? 1 : 4;
      await untilHas(stream, expected);
      seen.push(...idsOf(stream));
      lastEventId = stream.lastId;
      stream.close();
    }
    await untilHas(witness, next / 64 - 1 - 3);
    const all = Array.from({ length: next / 64 - 1 }, (_, n) => (n + 1) * 64);
    // They were before the first stream of this client.
    expect(seen.toSorted((a, b) => a - b)).toEqual(all.slice(3));
    await other.close();
  });

  it('goes on after each single event, without one more or less', async () => {
    const stream = await gateway.app.open('all', RECORDS);
    for (let n = 1; n <= 6; n++) gateway.log.change(n * 64, 'shop', { stream: String(n % 2) });
    gateway.log.refuse('shop');
    await untilHas(stream, 7);
    for (const [index, { id }] of stream.events.slice(0, 7).entries()) {
      const resumed = await gateway.app.open('all', RECORDS, { lastEventId: id });
      gateway.log.change(6_400 + index * 64, 'shop');
      await waitUntil(async () => idsOf(resumed).includes(6_400 + index * 64));
      const rest = stream.events.slice(index + 1, 7).map(({ data }) => data);
      expect(resumed.events.slice(0, rest.length).map(({ data }) => data)).toEqual(rest);
      expect(resumed.events).toHaveLength(rest.length + index + 1);
      resumed.close();
    }
  });

  it('misses nothing that the feed brings while it catches up', async () => {
    const witness = await gateway.app.open('shop', RECORDS);
    const { lastId } = witness;
    gateway.log.change(64, 'shop');
    await untilHas(witness, 1);
    // The feed goes on from the newest change, and this client from the one before.
    const isOfClient = ({ after }: ReadChangesMessage) => after['0'] === gateway.log.first;
    gateway.app.records.readChanges = async (message) => {
      const reply = gateway.log.read(message);
      if (!isOfClient(message)) return reply;
      gateway.log.change(128, 'shop');
      await untilHas(witness, 2);
      return reply;
    };
    const resumed = await gateway.app.open('shop', RECORDS, { lastEventId: lastId });
    await untilHas(resumed, 1);
    gateway.log.change(192, 'shop');
    await untilHas(witness, 3);
    await waitUntil(async () => idsOf(resumed).includes(192));
    expect(idsOf(resumed)).toEqual([64, 128, 192]);
  });

  it('goes on after more changes than one read has', async () => {
    const stream = await gateway.app.open('shop', RECORDS);
    const { lastId } = stream;
    stream.close();
    for (let n = 1; n <= 600; n++) gateway.log.change(n * 64, 'shop');
    const resumed = await gateway.app.open('shop', RECORDS, { lastEventId: lastId });
    await untilHas(resumed, 600);
    expect(idsOf(resumed)).toEqual(Array.from({ length: 600 }, (_, n) => (n + 1) * 64));
  });

  it('says where changes are lost, and shows those that are left', async () => {
    const first = await gateway.app.open('shop', RECORDS);
    gateway.log.change(64, 'shop');
    await untilHas(first, 1);
    const { lastId } = first;
    for (const id of [128, 192, 256]) gateway.log.change(id, 'shop');
    await untilHas(first, 4);
    gateway.log.trim('0', 2);
    for (let again = 0; again < 2; again++) {
      const resumed = await gateway.app.open('shop', RECORDS, { lastEventId: lastId });
      await untilHas(resumed, 3);
      expect(resumed.events.map(({ type }) => type)).toEqual(['gap', 'sponsorship', 'sponsorship']);
      expect(idsOf(resumed)).toEqual([192, 256]);
      // Who leaves after the gap finds it again.
      const { id } = resumed.events[0]!;
      const afterGap = await gateway.app.open('shop', RECORDS, { lastEventId: id });
      await untilHas(afterGap, 3);
      expect(idsOf(afterGap)).toEqual([192, 256]);
    }
    expect(first.of('gap')).toEqual([]);
  });

  it('of another caller shows that caller’s records to no other one', async () => {
    const others = await gateway.app.open('other', RECORDS);
    const { lastId } = others;
    gateway.log.change(64, 'other');
    gateway.log.refuse('other');
    gateway.log.change(128, 'shop');
    await untilHas(others, 2);
    const mine = await gateway.app.open('shop', RECORDS, { lastEventId: lastId });
    await untilHas(mine, 1);
    expect(idsOf(mine)).toEqual([128]);
    expect(mine.of('refusal')).toEqual([]);
  });

  it.each(['x', '0-0', 'A'.repeat(100), '%00'])('is refused for a made-up id: %s', async (id) => {
    const { status, body } = await gateway.app.open('shop', '', { lastEventId: id });
    expect([status, body]).toEqual([
      400,
      { error: expect.stringMatching(/^Last-Event-ID must be/) },
    ]);
  });
});
