import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventPage, StoredEventRecord } from '@forecourt/contracts';
import type { IotaEvent } from '@iota/iota-sdk/client';
import type { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { Transaction } from '@iota/iota-sdk/transactions';
import { WebSocket } from 'ws';
import { moduleBytes } from '../engine/publish/module-bytes.test-support.js';
import { startTestDevnet, type TestDevnet } from '../testing/start-test-devnet.test-support.js';

let devnet: TestDevnet;
let user: Ed25519Keypair;
beforeAll(async () => {
  devnet = await startTestDevnet();
  await devnet.control('POST', '/node', { version: '2022' });
  user = await devnet.fundedKey();
  // Merges all coins of the faucet into one, which later transactions would do otherwise.
  await run((tx) => void tx.transferObjects([tx.splitCoins(tx.gas, [1])], '0xb0b'));
});
afterAll(() => devnet.stop());

async function run(fill: (tx: Transaction) => void): Promise<string> {
  const transaction = new Transaction();
  fill(transaction);
  const { client } = devnet;
  const { digest } = await client.signAndExecuteTransaction({ transaction, signer: user });
  return digest;
}

const garage = (name: string) => `${devnet.engine.demo.packageId}::garage::${name}` as const;

async function getEvents(...params: unknown[]): Promise<EventPage> {
  const { result, error } = await devnet.rpc('ledger_getEvents', params);
  if (error) throw new Error(error.message);
  return result as EventPage;
}

interface Notification {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: unknown;
  readonly params?: { readonly subscription: number; readonly result: StoredEventRecord };
}

/** A plain WebSocket client. */
async function connect() {
  const socket = new WebSocket(devnet.urls.rpc.replace('http', 'ws'));
  const waiting: Notification[] = [];
  let wake = () => {};
  socket.on('message', (data) => {
    waiting.push(JSON.parse((data as Buffer).toString()) as Notification);
    wake();
  });
  await once(socket, 'open');
  const next = async (): Promise<Notification> => {
    while (waiting.length === 0) await new Promise<void>((resolve) => (wake = resolve));
    return waiting.shift()!;
  };
  const answer = (method: string, params: unknown[]): Promise<Notification> => {
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
    return next();
  };
  return {
    socket,
    next,
    answer,
    call: async (method: string, params: unknown[]) => (await answer(method, params)).result,
  };
}

const kindsOf = (records: readonly StoredEventRecord[]) =>
  records.map(({ event }) => Object.keys(event)[0]);

describe('ledger events', () => {
  it('describe a transaction in order, without its checkpoint', async () => {
    const digest = await run((tx) => {
      const car = tx.moveCall({ target: garage('new_car'), arguments: [tx.pure.string('Mini')] });
      tx.transferObjects([car], '0xb0b');
      tx.transferObjects([tx.splitCoins(tx.gas, [5])], '0xb0b');
    });
    const { data, nextCursor } = await getEvents({ Transaction: digest });
    expect(kindsOf(data)).toEqual(['moveEvent', 'newObject', 'newObject']);
    expect(nextCursor).toBeNull();
    expect(data.map(({ id }) => id.eventSeq)).toEqual([0, 1, 2]);
    expect(data[0]!.event).toMatchObject({
      moveEvent: {
        packageId: devnet.engine.demo.packageId,
        transactionModule: 'garage',
        sender: user.toIotaAddress(),
        type: garage('CarBuilt'),
        fields: { builder: user.toIotaAddress() },
      },
    });
    const recipient = { AddressOwner: `0x${'b0b'.padStart(64, '0')}` };
    expect(data[1]!.event).toMatchObject({ newObject: { recipient, transactionModule: 'garage' } });
  });

  it('describe transferred and deleted objects and packages', async () => {
    const built = await run((tx) => {
      const args = [tx.pure.string('Mini'), tx.pure.address(user.toIotaAddress())];
      tx.moveCall({ target: garage('build_car'), arguments: args });
      tx.moveCall({ target: garage('build_car'), arguments: args });
    });
    const { data } = await getEvents({ Transaction: built });
    const cars = data.flatMap(({ event }) =>
      'newObject' in event ? [event.newObject.objectId] : [],
    );
    const moved = await run((tx) => {
      tx.transferObjects([tx.object(cars[0]!)], '0xb0b');
      tx.moveCall({ target: garage('scrap'), arguments: [tx.object(cars[1]!)] });
      tx.transferObjects(
        [tx.publish({ modules: [[...moduleBytes('alpha')]], dependencies: ['0x1'] })],
        user.toIotaAddress(),
      );
    });
    const { data: events } = await getEvents({ Transaction: moved });
    expect(kindsOf(events)).toEqual(['publish', 'newObject', 'transferObject', 'deleteObject']);
    expect(events[2]!.event).toMatchObject({
      transferObject: { objectId: cars[0], type: garage('Car'), version: expect.any(Number) },
    });
    expect(events[3]!.event).toMatchObject({ deleteObject: { objectId: cars[1] } });
    const { data: ofCar } = await getEvents({ Object: cars[0] });
    expect(kindsOf(ofCar)).toEqual(['newObject', 'transferObject']);
  });

  it('begin with genesis, which publishes the system packages', async () => {
    const { data } = await getEvents({ EventType: 'Publish' }, null, 1_000);
    const packages = data.flatMap(({ event, id }) =>
      'publish' in event && id.txSeq === 0 ? [event.publish.packageId] : [],
    );
    expect(packages).toContain(`0x${'2'.padStart(64, '0')}`);
    expect(packages).toContain(devnet.engine.demo.packageId);
  });

  it('report the end of an epoch with its system transaction', async () => {
    await devnet.control('POST', '/epoch', {});
    const { data } = await getEvents('All', null, 2, 'Descending');
    expect(data.map(({ event }) => event)).toEqual([
      { checkpoint: devnet.engine.latestCheckpoint.sequenceNumber },
      { epochChange: Number(devnet.engine.systemState().epoch) },
    ]);
    expect(data[0]!.txDigest).toBe(data[1]!.txDigest);
  });

  it('arrive live over WebSocket, and from a cursor without gaps or duplicates', async () => {
    const client = await connect();
    const filter = { Any: [{ EventType: 'MoveEvent' }, { EventType: 'Checkpoint' }] };
    const first = await getEvents('All', null, 1);
    expect(await client.call('ledger_subscribeEvent', [filter, first.nextCursor])).toBe(1);
    const count = async () =>
      (await getEvents('All', null, 1_000)).data
        .slice(1)
        .filter(({ event }) => 'moveEvent' in event || 'checkpoint' in event);
    const past = await count();
    const received: StoredEventRecord[] = [];
    while (received.length < past.length) received.push((await client.next()).params!.result);
    expect(received).toEqual(past);

    await run((tx) => {
      tx.moveCall({
        target: garage('count'),
        arguments: [tx.object(devnet.engine.demo.counterId)],
      });
    });
    const live = [await client.next(), await client.next()].map(({ params }) => params!.result);
    expect(live).toEqual((await count()).slice(-2));
    expect(await client.call('ledger_unsubscribeEvent', [1])).toBe(true);
    expect(await client.call('ledger_unsubscribeEvent', [1])).toBe(false);
    client.socket.close();
  });

  it('arrive live in the unmodified SDK, Move events only', async () => {
    const events: IotaEvent[] = [];
    let arrived = () => {};
    const first = new Promise<void>((resolve) => (arrived = resolve));
    const unsubscribe = await devnet.client.subscribeEvent({
      filter: { Sender: user.toIotaAddress() },
      onMessage: (event) => {
        events.push(event);
        arrived();
      },
    });
    const digest = await run((tx) => {
      tx.moveCall({
        target: garage('count'),
        arguments: [tx.object(devnet.engine.demo.counterId)],
      });
    });
    await first;
    expect(await devnet.client.queryEvents({ query: { Transaction: digest } })).toMatchObject({
      data: events,
    });
    expect(await unsubscribe()).toBe(true);
  });

  it('are paged by the IOTA query from any position of the ledger', async () => {
    const all = await devnet.client.queryEvents({ query: { All: [] } });
    expect(all.data.length).toBeGreaterThan(3);
    const { txDigest } = all.data[1]!.id;
    const before = all.data.filter(({ id }) => id.txDigest === txDigest).length + 1;
    const page = await devnet.client.queryEvents({
      query: { All: [] },
      cursor: { txDigest, eventSeq: '999' },
    });
    expect(page.data).toEqual(all.data.slice(before));
    const back = await devnet.client.queryEvents({
      query: { All: [] },
      cursor: { txDigest, eventSeq: '0' },
      order: 'descending',
    });
    expect(back.data).toEqual(all.data.slice(0, 1));
  });

  it('end when the connection is closed', async () => {
    const client = await connect();
    await client.call('ledger_subscribeEvent', [{ EventType: 'Checkpoint' }]);
    const closed = once(client.socket, 'close');
    client.socket.on('error', () => undefined);
    await devnet.control('POST', '/disconnect');
    await closed;
    await run((tx) => void tx.transferObjects([tx.splitCoins(tx.gas, [1])], '0xb0b'));
  });

  it('lag behind like every other read', async () => {
    await devnet.setFault({ kind: 'lag', method: 'ledger_getEvents', checkpoints: 1, times: 1 });
    const [lagging] = (await getEvents('All', null, 1, true)).data;
    const [latest] = (await getEvents('All', null, 1, true)).data;
    expect(lagging!.id.txSeq).toBeLessThan(latest!.id.txSeq);
  });

  it('are unknown, and not listed, unless the node is of 2022', async () => {
    const legacy = ['ledger_getEvents', 'ledger_subscribeEvent', 'ledger_unsubscribeEvent'];
    const listed = async () => {
      const { result } = await devnet.rpc('rpc.discover');
      return (result as { methods: { name: string }[] }).methods.map(({ name }) => name);
    };
    expect(await listed()).toEqual(expect.arrayContaining(legacy));
    const client = await connect();
    for (const version of ['2025', '2026']) {
      await devnet.control('POST', '/node', { version });
      for (const name of legacy) {
        const error = { code: -32_601, message: 'Method not found' };
        expect(await devnet.rpc(name, ['All'])).toMatchObject({ error });
        expect(await client.answer(name, ['All'])).toMatchObject({ error });
      }
      expect((await listed()).filter((name) => legacy.includes(name))).toEqual([]);
    }
    client.socket.close();
    await devnet.control('POST', '/node', { version: '2022' });
  });

  it('refuse invalid parameters, naming the position', async () => {
    await expect(getEvents('All', -1)).rejects.toThrow(/position 2 \(cursor\)/);
    await expect(getEvents({ Sender: 'x' })).rejects.toThrow(/position 1 \(query\)\.Sender/);
  });
});
