import { describe, expect, it } from '@jest/globals';
import { readRpcRecording } from '../../recorded-node/index.js';
import { paymentOf } from '../../expected-payment.js';
import { decodeTransaction } from '../transactions/decoding/decode-transaction.js';
import { transactionDigest } from '../transactions/decoding/transaction-digest.js';
import { someEffects } from '../transactions/effects.test-support.js';
import { aTransaction } from '../transactions/transaction.test-support.js';
import { NodeFailure } from '../transport/node-failure.js';
import type { ExpectedPayment } from '../../expected-payment.js';
import type { NodeClient } from '../client/node-client.js';
import { createJsonRpcClient } from './create-json-rpc-client.js';

interface Call {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly payment?: ExpectedPayment;
}

const bytesOf = (base64: unknown) => Buffer.from(String(base64), 'base64');
type Ask = (
  node: NodeClient,
  params: readonly never[],
  payment?: ExpectedPayment,
) => Promise<unknown>;
/** Calls the method of the client that uses a method of JSON-RPC. */
const ASK: Readonly<Record<string, Ask>> = {
  iota_getChainIdentifier: (node) => node.getChainIdentifier(),
  iota_getLatestCheckpointSequenceNumber: (node) => node.getLatestCheckpoint(),
  iota_getCheckpoint: (node, [number]) => node.getCheckpoint(Number(number)),
  iota_getCheckpoints: (node, [cursor, limit, descending]) =>
    node.getCheckpoints(cursor ?? null, limit ?? 100, descending ?? false),
  iota_getTransactionBlock: (node, [digest], payment) =>
    node.getTransaction(digest!, ['effects'], payment),
  iota_multiGetTransactionBlocks: (node, [digests]) => node.getTransactions(digests!, ['effects']),
  iota_executeTransactionBlock: (node, [bytes]) => node.execute(bytesOf(bytes), []),
  iota_dryRunTransactionBlock: (node, [bytes]) => node.dryRun(bytesOf(bytes)),
  iota_multiGetObjects: (node, [ids]) => node.getObjects(ids!, []),
  iotax_getCoins: (node, [owner, , cursor]) => node.getCoins(owner!, cursor ?? null),
};

/**
 * Errors have no result: `grpc-node.recorded.test.ts` and `grpc-transactions.recorded-refusals.test.ts`
 * compare what they mean in both dialects.
 */
const recorded = readRpcRecording().filter(
  ({ method, answer }) => method in ASK && answer.result != null,
);

/** Null: the answer passes. */
async function failureOf(call: Call, result: unknown): Promise<NodeFailure | null> {
  const client = createJsonRpcClient(({ method }) => {
    expect(method).toBe(call.method);
    return Promise.resolve(result);
  });
  try {
    await ASK[call.method]!(client, call.params as never[], call.payment);
    return null;
  } catch (error) {
    if (!(error instanceof NodeFailure)) throw error;
    expect(error.mayBeProcessed).toBe(true);
    return error;
  }
}

describe('the answers of a real node', () => {
  it.each(recorded)('pass: $name, $method', async (call) => {
    expect(await failureOf(call, call.answer.result)).toBeNull();
  });

  it.each(['iota_getTransactionBlock', 'iota_dryRunTransactionBlock', 'iota_getCheckpoint'])(
    'are refused for another call of %s',
    async (method) => {
      const calls = recorded.filter((one) => one.method === method);
      const pairs = calls.map((call, index) => [call, calls[(index + 1) % calls.length]!] as const);
      const different = pairs.filter(([call, other]) => call.params[0] !== other.params[0]);
      expect(different.length).toBeGreaterThan(1);
      for (const [call, other] of different) {
        const failure = await failureOf(call, other.answer.result);
        expect(failure?.message).toContain(`${method}: answer to another call: `);
      }
    },
  );
});

describe('effects', () => {
  const expected = async () => {
    const { bytes, sponsor, payment } = await aTransaction();
    const transaction = decodeTransaction(bytes);
    const gasObject = {
      owner: { AddressOwner: sponsor },
      reference: { ...payment[0]!, version: 8 },
    };
    const base64 = Buffer.from(bytes).toString('base64');
    const { digest } = transaction;
    const payments = paymentOf(transaction);
    return {
      right: someEffects({ transactionDigest: digest, gasObject }),
      other: payment[1]!,
      calls: [
        { method: 'iota_executeTransactionBlock', params: [base64, []] },
        { method: 'iota_dryRunTransactionBlock', params: [base64] },
        { method: 'iota_getTransactionBlock', params: [digest], payment: payments },
      ],
      digest,
    };
  };
  type Expected = Awaited<ReturnType<typeof expected>>;
  const withCost = ({ right }: Expected, costs: object) => ({
    gasUsed: { ...right.gasUsed, ...costs },
  });
  const withGas = (
    { right }: Expected,
    reference: object,
    owner: unknown = right.gasObject.owner,
  ) => ({
    gasObject: { owner, reference: { ...right.gasObject.reference, ...reference } },
  });
  const MOST = String(2n ** 64n - 1n);

  it.each<[string, (one: Expected) => object]>([
    ['of another digest', () => ({ transactionDigest: transactionDigest(Uint8Array.of(1)) })],
    ['without a digest', () => ({ transactionDigest: undefined })],
    ['with an unknown status', () => ({ status: { status: 'Success' } })],
    ['with an epoch above 64 bits', () => ({ executedEpoch: String(2n ** 64n) })],
    ['with a cost above 64 bits', (one) => withCost(one, { computationCost: String(2n ** 64n) })],
    ['with a negative cost', (one) => withCost(one, { storageCost: '-1' })],
    ['with a cost of many digits', (one) => withCost(one, { storageCost: '9'.repeat(1_000) })],
    ['with a charge above the budget', (one) => withCost(one, { storageCost: '5000001' })],
    ['with a charge beyond all storage', (one) => withCost(one, { storageCost: MOST })],
    ['with a rebate beyond all storage', (one) => withCost(one, { storageRebate: MOST })],
    ['with a gas coin that does not pay', (one) => withGas(one, { objectId: one.digest })],
    ['with a gas coin that is merged', (one) => withGas(one, { objectId: one.other.objectId })],
    ['with a gas coin at its former version', (one) => withGas(one, { version: 7 })],
    ['with a version above 2^53', (one) => withGas(one, { version: '9007199254740993' })],
    [
      'with a digest that breaks the stored form of a coin',
      (one) => withGas(one, { digest: 'D:1,' }),
    ],
    ['with a gas coin of another owner', (one) => withGas(one, {}, { AddressOwner: '0x1' })],
    ['with a shared gas coin', (one) => withGas(one, {}, { Shared: {} })],
    [
      'with a created object of no version',
      ({ right }) => ({
        created: [{ owner: null, reference: { ...right.gasObject.reference, version: -1 } }],
      }),
    ],
    ['with deleted objects that are not a list', () => ({ deleted: {} })],
  ])('are not an answer %s', async (_name, change) => {
    const one = await expected();
    const { digest, right } = one;
    for (const call of one.calls) {
      expect(await failureOf(call, { digest, effects: right })).toBeNull();
      const effects = { ...right, ...change(one) };
      expect([call.method, await failureOf(call, { digest, effects })]).toEqual([
        call.method,
        expect.any(NodeFailure),
      ]);
    }
  });

  it('may show a gas coin that the transaction has sent to another owner', async () => {
    const { bytes, payment } = await aTransaction((tx) => {
      tx.transferObjects([tx.gas], tx.pure.address(`0x${'1'.repeat(64)}`));
    });
    const effects = someEffects({
      transactionDigest: transactionDigest(bytes),
      gasObject: { owner: { AddressOwner: '0x1' }, reference: { ...payment[0]!, version: 8 } },
    });
    const params = [Buffer.from(bytes).toString('base64')];
    const call = { method: 'iota_executeTransactionBlock', params };
    expect(await failureOf(call, { effects })).toBeNull();
  });
});

describe('an answer about something else', () => {
  const [id, other] = [`0x${'a'.repeat(64)}`, `0x${'b'.repeat(64)}`];
  it.each<[string, Call, unknown]>([
    [
      'another object',
      { method: 'iota_multiGetObjects', params: [[id]] },
      [{ data: { objectId: other } }],
    ],
    [
      'the absence of another object',
      { method: 'iota_multiGetObjects', params: [[id]] },
      [{ error: { code: 'notExists', object_id: other } }],
    ],
    [
      'objects in another order',
      { method: 'iota_multiGetObjects', params: [[id, other]] },
      [{ data: { objectId: other } }, { data: { objectId: id } }],
    ],
    [
      'more objects',
      { method: 'iota_multiGetObjects', params: [[id]] },
      [{ data: { objectId: id } }, {}],
    ],
    [
      'coins of another type',
      { method: 'iotax_getCoins', params: [id] },
      { data: [{ coinType: '0x2::coin::X' }] },
    ],
    [
      'a transaction that was not asked for',
      { method: 'iota_multiGetTransactionBlocks', params: [['A']] },
      [{ digest: 'B' }],
    ],
    [
      'a transaction twice',
      { method: 'iota_multiGetTransactionBlocks', params: [['A', 'B']] },
      [{ digest: 'A' }, { digest: 'A' }],
    ],
    [
      'another checkpoint',
      { method: 'iota_getCheckpoint', params: ['7'] },
      { sequenceNumber: '8' },
    ],
    ['no network', { method: 'iota_getChainIdentifier', params: [] }, '8'],
    [
      'the object of a network',
      { method: 'iota_getChainIdentifier', params: [] },
      { chain: 'a1b2c3d4' },
    ],
    [
      'no checkpoint number',
      { method: 'iota_getLatestCheckpointSequenceNumber', params: [] },
      'a1b2c3d4',
    ],
  ])('fails the call: %s', async (_name, call, result) => {
    expect(await failureOf(call, result)).not.toBeNull();
  });
});
