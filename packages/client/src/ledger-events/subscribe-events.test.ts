import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { WebSocket as NodeWebSocket } from 'ws';
import {
  type EventFilter,
  LedgerEvents,
  LedgerEventsError,
  type LedgerEventsOptions,
  type StoredEventRecord,
  type SubscribeOptions,
} from '../index.js';
import { MAX_WAITING } from './event-subscription.js';
import { StandInEvents } from './stand-in-events.test-support.js';

const FILTER: EventFilter = { EventType: 'Checkpoint' };

let server: StandInEvents;
let stop: AbortController;
/** Reasons why connections have ended. */
let disconnects: LedgerEventsError[];
beforeEach(async () => {
  stop = new AbortController();
  disconnects = [];
  server = await StandInEvents.start();
});
afterEach(() => {
  stop.abort();
  return server.stop();
});

function subscribe(
  options: SubscribeOptions = {},
  more: Partial<LedgerEventsOptions> = {},
): AsyncGenerator<StoredEventRecord, never> {
  const events = new LedgerEvents({ url: server.url, ...more });
  const onDisconnect = (reason: LedgerEventsError) => void disconnects.push(reason);
  return events.subscribe(FILTER, { onDisconnect, signal: stop.signal, ...options });
}

/** The numbers of the next events. */
async function take(
  subscription: AsyncIterator<StoredEventRecord, never>,
  count: number,
): Promise<number[]> {
  const found: number[] = [];
  while (found.length < count) found.push((await subscription.next()).value.id.txSeq);
  return found;
}

const from = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => first + index);
const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => Promise.reject(new Error('no error')),
    (error: unknown) => error as LedgerEventsError,
  );

describe('subscribe', () => {
  it.each<[string, Partial<LedgerEventsOptions>]>([
    ['the global WebSocket', {}],
    ['the package ws', { webSocket: (url) => new NodeWebSocket(url) }],
  ])('delivers new events, with %s', async (_name, options) => {
    server.publish(3);
    const subscription = subscribe({}, options);
    const first = take(subscription, 2);
    await server.untilSubscribed();
    server.publish(2);
    expect(await first).toEqual([3, 4]);
  });

  it.each<[string, SubscribeOptions['from'], number]>([
    ['a cursor', 2, 2],
    ['the id of the last event', { txSeq: 2, eventSeq: 0 }, 3],
  ])('begins at %s', async (_name, position, first) => {
    server.publish(5);
    const subscription = subscribe({ from: position });
    expect(await take(subscription, 5 - first)).toEqual(from(first, 5 - first));
  });

  it('misses and repeats nothing, however often its connection is lost', async () => {
    let connects = 0;
    const subscription = subscribe({ onConnect: () => void (connects += 1) });
    const seen = take(subscription, 1);
    await server.untilSubscribed();
    server.publish(1);
    const all = await seen;
    for (let round = 0; round < 6; round += 1) {
      server.publish(2);
      server.drop();
      server.publish(3);
      all.push(...(await take(subscription, 5)));
    }
    expect(all).toEqual(from(0, 31));
    expect([server.connections.length, connects]).toEqual([7, 7]);
    expect(disconnects.map(({ code }) => code)).toEqual(Array(6).fill('UNREACHABLE'));
  });

  it('misses nothing when its connection is lost before the first event', async () => {
    server.publish(4);
    const subscription = subscribe();
    const first = take(subscription, 2);
    await server.untilSubscribed();
    server.drop();
    server.publish(2);
    expect(await first).toEqual([4, 5]);
  });

  it('delivers the first event of an empty ledger after its connection was lost', async () => {
    const subscription = subscribe();
    const first = take(subscription, 1);
    await server.untilSubscribed();
    server.drop();
    server.publish(1);
    expect(await first).toEqual([0]);
  });

  it('skips events that a service sends twice', async () => {
    const subscription = subscribe({ from: 0 });
    const first = take(subscription, 3);
    await server.untilSubscribed();
    server.publish(2);
    const repeated = { subscription: 5, result: server.records[0] };
    const method = 'ledger_subscribeEvent';
    server.current.socket.send(JSON.stringify({ jsonrpc: '2.0', method, params: repeated }));
    server.publish(1);
    expect(await first).toEqual([0, 1, 2]);
  });

  it.each([
    [-32011, 'the service stops', 'SHUTTING_DOWN'],
    [-32010, 'it read too slowly', 'SLOW_CONSUMER'],
  ])('resumes after error %i, with which %s', async (code, message, name) => {
    const subscription = subscribe({ from: 0 });
    const first = take(subscription, 3);
    await server.untilSubscribed();
    server.publish(2);
    server.endSubscription({ code, message });
    server.publish(1);
    expect(await first).toEqual([0, 1, 2]);
    expect(disconnects).toMatchObject([{ code: name, rpcCode: code, message }]);
  });

  it('keeps a bounded number of events for a slow program, and fetches the rest later', async () => {
    const subscription = subscribe({ from: 0 });
    const first = take(subscription, 1);
    await server.untilSubscribed();
    const [connection] = server.connections;
    server.publish(2 * MAX_WAITING);
    expect(await first).toEqual([0]);
    await server.untilClosed(connection!);
    expect(await take(subscription, 2 * MAX_WAITING - 1)).toEqual(from(1, 2 * MAX_WAITING - 1));
    expect(server.connections.length).toBeGreaterThanOrEqual(2);
  });

  it('notices a connection that was lost without being closed', async () => {
    const subscription = subscribe({ from: 0 }, { silenceMs: 50, timeoutMs: 1_000 });
    const first = take(subscription, 1);
    await server.untilSubscribed();
    server.current.isSilent = true;
    await server.until(() => server.connections.length === 2);
    server.publish(1);
    expect(await first).toEqual([0]);
    expect(disconnects[0]?.message).toContain('no longer answers');
  });

  it('reconnects while the service starts, refuses connections or has reached a limit', async () => {
    server.refusedSockets = 2;
    server.subscribeErrors.push(
      { code: -32000, message: 'Event stream unavailable' },
      { code: -32009, message: 'Too many requests' },
    );
    server.publish(1);
    const subscription = subscribe({ from: 0 });
    expect(await take(subscription, 1)).toEqual([0]);
    expect(disconnects.map(({ code }) => code)).toEqual([
      'UNREACHABLE',
      'UNREACHABLE',
      'CALL_FAILED',
      'TOO_MANY_REQUESTS',
    ]);
  });
});

describe('the end of a subscription', () => {
  it.each([
    [-32602, 'INVALID_PARAMS'],
    [-32006, 'TOO_MANY_SUBSCRIPTIONS'],
  ])('follows error %i, which a repetition would not help', async (code, name) => {
    server.subscribeErrors.push({ code, message: 'no' });
    expect(await failureOf(subscribe().next())).toMatchObject({ code: name, message: 'no' });
    expect(server.connections).toHaveLength(1);
    await server.untilClosed(server.current);
  });

  it('follows all earlier events if the service cannot continue from its position', async () => {
    const subscription = subscribe({ from: 0 });
    const first = take(subscription, 2);
    await server.untilSubscribed();
    server.publish(2);
    server.endSubscription({ code: -32000, message: 'History is pruned' });
    expect(await first).toEqual([0, 1]);
    expect(await failureOf(subscription.next())).toMatchObject({ code: 'CALL_FAILED' });
    expect(server.connections).toHaveLength(1);
  });

  it('comes after too long a time without a connection', async () => {
    server.refusedSockets = Infinity;
    const error = await failureOf(subscribe({ giveUpAfterMs: 300 }).next());
    expect(error).toBeInstanceOf(LedgerEventsError);
    expect(error.code).toBe('UNREACHABLE');
    expect(disconnects.length).toBeGreaterThan(0);
  });

  it('has the reason of its signal, also without events, and closes its connection', async () => {
    const controller = new AbortController();
    const subscription = subscribe({ signal: controller.signal });
    const failure = failureOf(subscription.next());
    await server.untilSubscribed();
    const reason = new Error('the page was left');
    controller.abort(reason);
    expect(await failure).toBe(reason);
    await server.untilClosed(server.current);
  });

  it('closes the connection when the loop ends', async () => {
    server.publish(3);
    for await (const record of subscribe({ from: 0 })) {
      if (record.id.txSeq === 1) break;
    }
    await server.untilClosed(server.current);
    expect(disconnects).toEqual([]);
  });

  it.each(['follows the invalid message %p', 'null', Buffer.from([1, 2])])(
    'when it is sent %p',
    async (message) => {
      const failure = failureOf(subscribe({ from: 0 }).next());
      await server.untilSubscribed();
      server.current.socket.send(message);
      expect(await failure).toMatchObject({ code: 'UNEXPECTED_ANSWER' });
    },
  );

  it('comes at once if there is no WebSocket', async () => {
    const webSocket = () => {
      throw new TypeError('There is no global WebSocket');
    };
    expect(await failureOf(subscribe({}, { webSocket }).next())).toBeInstanceOf(TypeError);
  });
});
