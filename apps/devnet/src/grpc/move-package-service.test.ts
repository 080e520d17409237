import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LedgerService } from '@forecourt/ledger/node-messages';
import { clientThrough, GrpcNode } from '@forecourt/ledger';
import { Transaction } from '@iota/iota-sdk/transactions';
import { fromBase58, fromHex } from '@iota/iota-sdk/utils';
import { moduleBytes } from '../engine/publish/module-bytes.test-support.js';
import { GrpcTestClient } from '../testing/grpc-test-client.test-support.js';
import { startTestDevnet, type TestDevnet } from '../testing/start-test-devnet.test-support.js';

const { getCheckpoint, getObjects, getTransactions, streamCheckpoints } = LedgerService.method;

describe('packages over gRPC', () => {
  let devnet: TestDevnet;
  let client: GrpcTestClient;
  let node: GrpcNode;
  beforeAll(async () => {
    devnet = await startTestDevnet();
    client = new GrpcTestClient(devnet.urls.grpc!);
    node = new GrpcNode({ url: devnet.urls.grpc! });
  });
  afterAll(async () => {
    client.close();
    node.close();
    await devnet.stop();
  });

  /** Executes a transaction; it is shown over JSON-RPC when this resolves. */
  async function run(fill: (tx: Transaction, sender: string) => void) {
    const signer = await devnet.fundedKey();
    const transaction = new Transaction();
    fill(transaction, signer.toIotaAddress());
    const { digest } = await devnet.client.signAndExecuteTransaction({ signer, transaction });
    const options = { showEvents: true, showObjectChanges: true };
    return devnet.client.waitForTransaction({ digest, options });
  }
  const buildCar = () =>
    run((tx, sender) => {
      const target = '0xdec0::garage::build_car';
      tx.moveCall({ target, arguments: [tx.pure.string('Mini'), tx.pure.address(sender)] });
    });

  it('declare their types, so that the bytes of an event give its JSON', async () => {
    const { digest, events } = await buildCar();
    const services = clientThrough((call) => node.run(call, 5_000));
    const [transaction] = (await services.getTransactions([digest], ['events'])) as readonly {
      events: object[];
    }[];
    expect(transaction!.events).toHaveLength(1);
    expect(events).toMatchObject(transaction!.events);
  });

  it('are needed for events in checkpoints, which have JSON with single transactions only', async () => {
    const { digest, checkpoint } = await buildCar();
    const requests = { requests: [{ digest: { digest: fromBase58(digest) } }] };
    const single = await client.all(getTransactions, { requests, readMask: { paths: ['events'] } });
    const [{ result } = { result: null }] = single[0]!.transactionResults;
    if (result?.case !== 'executedTransaction') throw new Error('no transaction');
    expect(result.value.events!.events!.events[0]!.jsonContents).toBeDefined();
    const number = BigInt(checkpoint!);
    const readMask = { paths: ['transactions.events', 'events'] };
    const parts = [
      ...(await client.all(getCheckpoint, {
        checkpointId: { case: 'sequenceNumber', value: number },
        readMask,
      })),
      ...(await client.all(streamCheckpoints, {
        startSequenceNumber: number,
        endSequenceNumber: number,
        readMask,
      })),
    ];
    const events = parts.flatMap(({ payload }) => {
      if (payload.case === 'events') return payload.value.events;
      if (payload.case !== 'executedTransactions') return [];
      return payload.value.executedTransactions.flatMap((one) => one.events?.events?.events ?? []);
    });
    expect(events).toHaveLength(4);
    for (const { bcs, jsonContents } of events) {
      expect([bcs!.data.length > 0, jsonContents]).toEqual([true, undefined]);
    }
  });

  it('keep the bytes of the modules that were published', async () => {
    const code = moduleBytes('published');
    const { objectChanges } = await run((tx, sender) => {
      const cap = tx.publish({ modules: [[...code]], dependencies: ['0x1', '0x2'] });
      tx.transferObjects([cap], sender);
    });
    const published = objectChanges!.find((one) => one.type === 'published')!;
    const objectRef = { objectId: { objectId: fromHex(published.packageId) } };
    const [answer] = await client.all(getObjects, {
      requests: { requests: [{ objectRef }] },
      readMask: { paths: ['bcs'] },
    });
    const [{ result } = { result: null }] = answer!.objects;
    if (result?.case !== 'object') throw new Error('no package');
    expect(Buffer.from(result.value.bcs!.data).includes(Buffer.from(code))).toBe(true);
  });
});
