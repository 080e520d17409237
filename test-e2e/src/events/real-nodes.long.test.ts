import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { fromBase58, toBase64 } from '@iota/iota-sdk/utils';
import { type StoredEventRecord, writeCursor } from '@forecourt/contracts';
import type { ServiceProcess } from '@forecourt/testing/system';
import { getAllEvents, getEvents, postRpc } from '../support/events-client.js';
import { EventsSocket } from '../support/events-socket.js';
import { buildCar } from '../support/ledger-user.js';
import { startEvents } from '../support/start-events.js';
import { useLedgerUser } from '../support/use-events.js';
import { useSystem } from '../support/use-system.js';

const BUILT = { MoveEvent: '0xdec0::garage::CarBuilt' };
const LIVE = { MoveEventType: '0xdec0::garage::CarBuilt' };
const ENTRIES = 130;

const system = useSystem({
  // With a lag, devnet adds empty checkpoints, whose events come between those that a test causes.
  lagMs: 0,
  // Most are faults of JSON-RPC: the system's own events service reads the truth over gRPC.
  dialect: 'grpc',
  events: 1,
  env: {
    POOL_TARGET_COINS: '10',
    POOL_MIN_COINS: '5',
    EVENTS_NODE_CALLS_PER_SECOND_PER_CLIENT: '10000',
  },
});
const user = useLedgerUser(system);
const started: ServiceProcess[] = [];

/** An events service with empty caches that reads the node over JSON-RPC. */
async function startFresh(env: Record<string, string> = {}): Promise<ServiceProcess> {
  const events = await startEvents({ EVENTS_UPSTREAMS: system.ledgerUrl, ...env });
  started.push(events);
  return events;
}

afterEach(async () => {
  await system.control.clearFaults();
  await system.control.resetBehaviour();
  await Promise.all(started.splice(0).map((events) => events.stop()));
});

const build = () => user.run((tx) => buildCar(tx, 'Mini', user.address));

/** The error of a query, with `data`. */
async function errorOf(events: ServiceProcess, ...params: unknown[]) {
  const request = { jsonrpc: '2.0', id: 1, method: 'ledger_getEvents', params };
  return (await postRpc(events.url, request)).body.error as {
    readonly code: number;
    readonly message: string;
    readonly data: Record<string, unknown>;
  };
}

const upstreamOf = async ({ url }: ServiceProcess) => {
  const response = await fetch(`${url}/health/dependencies`);
  const { details } = (await response.json()) as { details: { upstream: Record<string, unknown> } };
  return { isUp: response.ok, ...details.upstream };
};

/** Read from the checkpoints of the node, in the ledger's order. */
const truth = (criterion: unknown) => getAllEvents(system.application.url, criterion);

describe('an events service at a real node', () => {
  it('keeps pages in the order of the ledger, in any order of `iotax_queryTransactionBlocks`', async () => {
    await system.control.reorderIndex(9);
    for (let count = 0; count < ENTRIES; count++) {
      await build();
      if (count % 50 === 49) await system.control.advanceEpoch();
    }
    const events = await startFresh();
    for (const criterion of [{ Sender: user.address }, BUILT]) {
      const expected = await truth(criterion);
      expect(await getAllEvents(events.url, criterion, 45)).toEqual(expected);
      const reversed = await getAllEvents(events.url, criterion, 45, 'Descending');
      expect(reversed).toEqual(expected.toReversed());
    }
  });

  it('refuses the criterion `Object` at once without an index of objects, and still resumes a subscription', async () => {
    await system.control.behaveLike({ unsupportedFilters: ['ChangedObject', 'InputObject'] });
    const events = await startFresh();
    const { digest } = await build();
    const { data } = await getEvents(events.url, { Transaction: digest });
    const objectId = data.flatMap(({ event }) =>
      'newObject' in event ? [event.newObject.objectId] : [],
    )[0]!;
    expect(await errorOf(events, { Object: objectId })).toMatchObject({
      code: -32_000,
      message: expect.stringMatching(/no index for the criterion Object.*query by Sender/),
      data: { criterion: 'Object', unsupported: ['ChangedObject', 'InputObject'] },
    });
    const fresh = await startFresh();
    const socket = await EventsSocket.open(fresh.url);
    await socket.subscribe({ ObjectId: objectId }, 0);
    const [record] = await socket.records(1);
    expect(record?.event).toHaveProperty('newObject.objectId', objectId);
    socket.close();
  });

  it('names the transaction without `objectChanges` in a query, and its live stream waits', async () => {
    const events = await startFresh();
    const socket = await EventsSocket.open(events.url);
    await socket.subscribe(LIVE);
    await system.control.omitObjectChanges();
    const { digest } = await build();
    expect(await errorOf(events, { Transaction: digest })).toMatchObject({
      code: -32_000,
      message: expect.stringContaining(digest),
      data: { transaction: digest },
    });
    await system.until(async () => !(await upstreamOf(events)).isUp);
    expect(JSON.stringify(await upstreamOf(events))).toContain(digest);
    const metrics = await (await fetch(events.metricsUrl)).text();
    expect(metrics).toMatch(/events_upstream_faults_total\{.*kind="inconvertible".*\} [1-9]/);
    await system.control.clearFaults();
    const [record] = await socket.records(1);
    expect(record!.txDigest).toBe((await truth({ Transaction: digest }))[0]!.txDigest);
    expect(await events.log()).toContain('Fault of an upstream');
    socket.close();
  });

  it('serves everything except one transaction that cannot be converted', async () => {
    const { digest } = await build();
    await build();
    const expected = await truth('All');
    await system.control.failToConvert(digest);
    const events = await startFresh();
    expect((await errorOf(events, { Transaction: digest })).message).toContain(digest);
    const txDigest = toBase64(fromBase58(digest));
    const { txSeq } = expected.find((record) => record.txDigest === txDigest)!.id;
    const cursor = writeCursor({ txSeq, eventSeq: 0 });
    const error = await errorOf(events, 'All', cursor);
    expect(error.data).toMatchObject({ transaction: digest, txSeq });
    const { newerCursor, olderCursor } = error.data as Record<string, number>;
    const newer = await getEvents(events.url, 'All', newerCursor, 1_000);
    const older = await getEvents(events.url, 'All', olderCursor, 1_000, 'Descending');
    expect(newer.data).toEqual(expected.filter(({ id }) => id.txSeq > txSeq));
    const before = expected.filter(({ id }) => id.txSeq < txSeq).toReversed();
    expect(older.data).toEqual(before.slice(0, 1_000));
    const socket = await EventsSocket.open(events.url);
    await socket.subscribe(LIVE, before[0]!.id);
    expect((await socket.next())?.params?.error).toEqual({
      code: -32_000,
      message: expect.stringMatching(`${digest}.* cursor ${newerCursor}$`),
    });
    socket.close();
  });

  it('waits at a rate limit for as long as the node says', async () => {
    const events = await startFresh();
    for (const as of ['status', 'error'] as const) {
      const { digest } = await build();
      await system.control.limitRate({ as, retryAfterSecs: 1, times: 1 });
      const { data } = await getEvents(events.url, { Transaction: digest });
      expect(data.length).toBeGreaterThan(0);
    }
    const metrics = await (await fetch(events.metricsUrl)).text();
    expect(metrics).toMatch(/events_upstream_faults_total\{.*kind="rate_limited".*\} [1-9]/);
  });

  it('sends the configured headers with every call and with the subscription', async () => {
    await system.control.behaveLike({ requiredHeaders: { 'x-api-key': 'k1' } });
    const events = await startFresh({ EVENTS_UPSTREAM_HEADERS: 'X-Api-Key: k1' });
    expect((await getEvents(events.url, 'All', null, 1)).data).toHaveLength(1);
  });

  it('does not choose the dialect by the answers of balancers', async () => {
    const method = 'iota_getChainIdentifier';
    await system.control.replyInstead({ status: 502, method, times: 2 });
    await system.control.replyInstead({ status: 200, body: 'NaN', method, times: 1 });
    const events = await startFresh();
    expect(await upstreamOf(events)).toMatchObject({
      isUp: true,
      upstream: expect.stringMatching(/^iota /),
    });
  });
});

describe('an events service at a pruned node', () => {
  let everything: StoredEventRecord[];
  let lowest: number;
  beforeAll(async () => {
    everything = await truth('All');
    const newest = everything.at(-1)!.event as { readonly checkpoint: number };
    lowest = await system.control.prune(newest.checkpoint - 20);
  });

  it('starts, names the first checkpoint that it can serve, and follows live events', async () => {
    const events = await startFresh();
    expect(await upstreamOf(events)).toMatchObject({ isUp: true, lowestCheckpoint: lowest });
    const socket = await EventsSocket.open(events.url);
    await socket.subscribe(LIVE);
    await build();
    expect(await socket.records(1)).toHaveLength(1);
    socket.close();
  });

  it('names the earliest position, and answers from there on', async () => {
    const events = await startFresh();
    const error = await errorOf(events, 'All');
    expect(error).toMatchObject({ code: -32_000, message: expect.stringMatching(/pruned/) });
    const earliest = error.data['earliest'] as { cursor: number; checkpoint: number };
    expect(earliest.checkpoint).toBe(lowest);
    const { data } = await getEvents(events.url, 'All', earliest.cursor, 1_000);
    const kept = everything.filter(({ id }) => id.txSeq >= data[0]!.id.txSeq);
    expect(data.slice(0, kept.length)).toEqual(kept);
    const before = everything.findLast(
      ({ event }) => 'checkpoint' in event && event.checkpoint === lowest - 1,
    );
    expect(data[0]!.id.txSeq).toBe(before!.id.txSeq + 1);
    const socket = await EventsSocket.open(events.url);
    await socket.subscribe(LIVE, { txSeq: 1, eventSeq: 0 });
    expect((await socket.next())?.params?.error).toMatchObject({
      code: -32_000,
      message: expect.stringContaining(`cursor ${earliest.cursor} `),
    });
    socket.close();
  });
});
