import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { create } from '@bufbuild/protobuf';
import {
  type ExecuteTransactionsRequest,
  ExecuteTransactionsResponseSchema,
  serviceDefinition,
  TransactionExecutionService,
} from '../../node-messages/index.js';
import { Server, ServerCredentials, status } from '@grpc/grpc-js';
import { bcs } from '@iota/iota-sdk/bcs';
import { fromBase64, toBase64 } from '@iota/iota-sdk/utils';
import { NodeRefusal } from '../transport/node-refusal.js';
import { transactionDigest } from '../transactions/decoding/transaction-digest.js';
import type { ClientCall } from '../client/routed-client.js';
import type { TransactionEffects } from '../../executed-transaction.js';
import { GrpcNode } from './grpc-node.js';

/** A transaction that the node refuses. */
const REFUSED = 9;

let server: Server;
let node: GrpcNode;
/** Number of transactions of each call. */
let calls: number[];
/** The signatures of all calls, as they travel. */
let signatures: Uint8Array[];
/** Gets the answer of every call, to send it later. */
let answerLater: ((answer: () => void) => void) | null;

beforeEach(async () => {
  [calls, signatures, answerLater] = [[], [], null];
  server = new Server();
  server.addService(serviceDefinition(TransactionExecutionService), {
    ExecuteTransactions: (
      { request }: { request: ExecuteTransactionsRequest },
      reply: (error: null, value: unknown) => void,
    ) => {
      const all = request.transactions.map(({ transaction }) => transaction!.bcs!.data);
      calls.push(all.length);
      signatures.push(
        ...request.transactions
          .flatMap((item) => item.signatures!.signatures)
          .map((one) => one.bcs!.data),
      );
      const transactionResults = all.map((bytes) => ({ result: resultOf(bytes) }));
      const answer = () =>
        reply(null, create(ExecuteTransactionsResponseSchema, { transactionResults }));
      if (answerLater) answerLater(answer);
      else answer();
    },
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  node = new GrpcNode({ url: `grpc://127.0.0.1:${port}` });
});
afterEach(() => {
  node.close();
  server.forceShutdown();
});

function resultOf(bytes: Uint8Array) {
  if (bytes[0] === REFUSED) {
    return { case: 'error', value: { code: status.INVALID_ARGUMENT, message: 'no' } } as const;
  }
  return {
    case: 'executedTransaction',
    value: { effects: { bcs: { data: effectsOf(bytes) } } },
  } as const;
}

function effectsOf(transaction: Uint8Array): Uint8Array {
  return bcs.TransactionEffects.serialize({
    V1: {
      status: { Success: true },
      executedEpoch: 0,
      gasUsed: {
        computationCost: 1,
        computationCostBurned: 1,
        storageCost: 1,
        storageRebate: 1,
        nonRefundableStorageFee: 1,
      },
      transactionDigest: transactionDigest(transaction),
      gasObjectIndex: null,
      eventsDigest: null,
      dependencies: [],
      lamportVersion: 1,
      changedObjects: [],
      unchangedSharedObjects: [],
      auxDataDigest: null,
    },
  }).toBytes();
}

const execution = (bytes: Uint8Array, signature = 'AAAA'): ClientCall<TransactionEffects> => ({
  method: 'execute',
  ask: (client) => client.execute(bytes, [signature]),
});

/** Submits transactions in the same turn; the digests of their effects, or their errors. */
function submit(...transactions: number[]): Promise<unknown[]> {
  const each = transactions.map(async (first) => {
    try {
      return (await node.run(execution(Uint8Array.of(first)), 5_000)).transactionDigest;
    } catch (error) {
      return error;
    }
  });
  return Promise.all(each);
}

const digestOf = (first: number) => transactionDigest(Uint8Array.of(first));

it('ends a call when it is aborted, with an unknown outcome', async () => {
  const abort = new AbortController();
  const call = node.run({ ...execution(Uint8Array.of(1)), signal: abort.signal }, 5_000);
  abort.abort(new Error('no longer wanted'));
  await expect(call).rejects.toMatchObject({
    message: expect.stringContaining('no longer wanted'),
    mayBeProcessed: true,
  });
});

describe('transactions submitted over gRPC', () => {
  it('go into separate calls, all at once, so that none waits for another', async () => {
    const many = Array.from({ length: 45 }, (_, index) => 10 + index);
    const { promise: allArrived, resolve } = Promise.withResolvers<void>();
    answerLater = (answer) => {
      if (calls.length === many.length) resolve();
      void allArrived.then(answer);
    };
    expect(await submit(...many)).toEqual(many.map(digestOf));
    expect(calls).toEqual(many.map(() => 1));
  });

  it('have separate results', async () => {
    const answers = await submit(1, REFUSED, 2);
    expect(answers).toEqual([digestOf(1), expect.any(NodeRefusal), digestOf(2)]);
  });

  it.each([65, 97, 127, 128, 20_000])(
    'carry a signature of %d bytes with its length in front',
    async (length) => {
      const signature = Buffer.alloc(length, 7).toString('base64');
      await node.run(execution(Uint8Array.of(1), signature), 5_000);
      const prefixed = bcs.byteVector().serialize(fromBase64(signature)).toBase64();
      expect(signatures.map((one) => toBase64(one))).toEqual([prefixed]);
    },
  );
});
