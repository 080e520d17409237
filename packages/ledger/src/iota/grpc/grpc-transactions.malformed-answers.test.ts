import { create, fromBinary, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import {
  ExecuteTransactionsResponseSchema,
  GetServiceInfoResponseSchema,
} from '../../node-messages/index.js';
import { readGrpcRecording } from '../../recorded-node/index.js';
import { describe, expect, it } from '@jest/globals';
import { createIotaLedger } from '../create-iota-ledger.js';
import { frameOf } from './grpc-call.js';
import { answer, endAfterEachTest, ends, RawNode } from './raw-node.test-support.js';

endAfterEachTest();

const INFO = toBinary(
  GetServiceInfoResponseSchema,
  create(GetServiceInfoResponseSchema, { chainId: { digest: new Uint8Array(32) } }),
);
const SUBMISSION_MALFORMED = /execute(Transactions)?: malformed answer/i;

type Answer = MessageInitShape<typeof ExecuteTransactionsResponseSchema>;

const encode = (response: Answer) =>
  toBinary(ExecuteTransactionsResponseSchema, create(ExecuteTransactionsResponseSchema, response));
const executed = (data: Uint8Array) =>
  encode({
    transactionResults: [
      { result: { case: 'executedTransaction', value: { effects: { bcs: { data } } } } },
    ],
  });

/** Serves every submission with this answer. */
async function ledgerThatAnswers(bytes: Uint8Array) {
  const node = await RawNode.start((stream, { ':path': path }) => {
    answer(stream, [frameOf(String(path).endsWith('/GetServiceInfo') ? INFO : bytes)]);
  });
  ends.push(() => node.stop());
  return createIotaLedger({ urls: [node.url], requestTimeoutMs: 2_000 });
}

/** Effects that a real node has answered with. */
function recordedEffects(): Uint8Array {
  for (const { method, responses } of readGrpcRecording()) {
    if (method !== 'ExecuteTransactions') continue;
    for (const response of responses) {
      const message = fromBinary(
        ExecuteTransactionsResponseSchema,
        Buffer.from(response, 'base64'),
      );
      const [first] = message.transactionResults;
      if (first?.result.case !== 'executedTransaction') continue;
      const data = first.result.value.effects?.bcs?.data;
      if (data) return data;
    }
  }
  throw new Error('nothing is recorded');
}

describe('a submission that is answered over gRPC with another transaction', () => {
  it('has an unknown outcome', async () => {
    const ledger = await ledgerThatAnswers(executed(recordedEffects()));
    const message: unknown = expect.stringContaining(
      'answer to another call: effects.transactionDigest',
    );
    expect(await ledger.submit(Uint8Array.of(1), [])).toEqual({ kind: 'unknown', message });
  });
});

describe('a submission whose answer over gRPC is malformed', () => {
  it.each<[string, Uint8Array]>([
    ['is not a message', Uint8Array.of(0xff)],
    ['has no result', encode({})],
    ['has an empty result', encode({ transactionResults: [{}] })],
    [
      'has no effects',
      encode({ transactionResults: [{ result: { case: 'executedTransaction', value: {} } }] }),
    ],
    ['has effects of an unknown form', executed(Uint8Array.of(9, 9))],
    ['has effects that are cut off', executed(Uint8Array.of(0, 0, 7))],
  ])('has an unknown outcome if the answer %s', async (_name, bytes) => {
    const ledger = await ledgerThatAnswers(bytes);
    const message: unknown = expect.stringMatching(SUBMISSION_MALFORMED);
    expect(await ledger.submit(Uint8Array.of(1), [])).toEqual({ kind: 'unknown', message });
  });
});
