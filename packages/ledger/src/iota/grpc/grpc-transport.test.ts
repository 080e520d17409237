import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { create } from '@bufbuild/protobuf';
import {
  type ExecuteTransactionsRequest,
  ExecuteTransactionsResponseSchema,
  serviceDefinition,
  TransactionExecutionService,
} from '@forecourt/node-messages';
import { Server, ServerCredentials, status } from '@grpc/grpc-js';
import { bcs } from '@iota/iota-sdk/bcs';
import { NodeFailure, NodeRefusal } from '../transport/node-errors.js';
import { transactionDigest } from '../transaction-digest.js';
import { GrpcTransport } from './grpc-transport.js';

const EXECUTE = 'iota_executeTransactionBlock';
/** A transaction that the node refuses. */
const REFUSED = 9;

let server: Server;
let transport: GrpcTransport;
/** Number of transactions of each call. */
let calls: number[];
/** The order of the node's results. */
let isReversed: boolean;

beforeEach(async () => {
  [calls, isReversed] = [[], false];
  server = new Server();
  server.addService(serviceDefinition(TransactionExecutionService), {
    ExecuteTransactions: (
      { request }: { request: ExecuteTransactionsRequest },
      reply: (error: null, value: unknown) => void,
    ) => {
      const all = request.transactions.map(({ transaction }) => transaction!.bcs!.data);
      calls.push(all.length);
      const transactionResults = all.map((bytes) => ({ result: resultOf(bytes) }));
      if (isReversed) transactionResults.reverse();
      reply(null, create(ExecuteTransactionsResponseSchema, { transactionResults }));
    },
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  transport = new GrpcTransport({ url: `grpc://127.0.0.1:${port}` });
});
afterEach(() => {
  transport.close();
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

/** Submits transactions in the same turn; the digests of their effects, or their errors. */
function submit(...transactions: number[]): Promise<unknown[]> {
  const each = transactions.map(async (first) => {
    const bytes = Buffer.from([first]).toString('base64');
    const params = [bytes, ['AAAA']];
    try {
      const answer = await transport.call({ method: EXECUTE, params }, 5_000);
      return (answer as { effects: { transactionDigest: string } }).effects.transactionDigest;
    } catch (error) {
      return error;
    }
  });
  return Promise.all(each);
}

const digestOf = (first: number) => transactionDigest(Uint8Array.of(first));

it('ends a call when it is aborted, with an unknown outcome', async () => {
  const abort = new AbortController();
  const params = ['AQ==', ['AAAA']];
  const call = transport.call({ method: EXECUTE, params, signal: abort.signal }, 5_000);
  abort.abort(new Error('no longer wanted'));
  await expect(call).rejects.toMatchObject({
    message: expect.stringContaining('no longer wanted'),
    mayBeProcessed: true,
  });
});

describe('transactions submitted over gRPC', () => {
  it('share a call in the same turn, and each has a result', async () => {
    const answers = await submit(1, REFUSED, 2);
    expect(answers).toEqual([digestOf(1), expect.any(NodeRefusal), digestOf(2)]);
    expect(await submit(3)).toEqual([digestOf(3)]);
    expect(calls).toEqual([3, 1]);
  });

  it('go into calls of twenty', async () => {
    const many = Array.from({ length: 45 }, (_, index) => 10 + index);
    expect(await submit(...many)).toEqual(many.map(digestOf));
    expect(calls.toSorted()).toEqual([20, 20, 5]);
  });

  it('have an unknown outcome if results are in another order', async () => {
    isReversed = true;
    const answers = (await submit(1, 2)) as NodeFailure[];
    for (const answer of answers) {
      expect(answer).toBeInstanceOf(NodeFailure);
      expect(answer.mayBeProcessed).toBe(true);
    }
  });
});
