import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import {
  BadRequestSchema,
  type ExecuteTransactionItem,
  ExecuteTransactionsRequestSchema,
  ExecuteTransactionsResponseSchema,
  GetServiceInfoResponseSchema,
  StatusSchema,
} from '../../node-messages/index.js';
import {
  decodeRecorded,
  readGrpcRecording,
  readRpcRecording,
  type RecordedGrpcCall,
} from '../../recorded-node/index.js';
import { bcs } from '@iota/iota-sdk/bcs';
import { toBase64 } from '@iota/iota-sdk/utils';
import { describe, expect, it } from '@jest/globals';
import type { Submission } from '../../ledger.js';
import { LedgerNodes } from '../nodes/ledger-nodes.js';
import { clientOf, type Response, StandInNode } from '../nodes/stand-in-node.test-support.js';
import { submitTransaction } from '../transactions/submit-transaction.js';
import { frameOf } from './grpc-call.js';
import { answer, endAfterEachTest, ends, RawNode } from './raw-node.test-support.js';

endAfterEachTest();

type Kind = Submission['kind'];

/** The outcome of each recorded call, or of each of its items; of others it is `executed`. */
const OUTCOMES: Readonly<Record<string, Kind | readonly Kind[]>> = {
  'execute-error/signature-without-prefix': 'refused',
  'execute-error/sponsor-signature-missing': 'refused',
  'execute-error/sender-signature-missing': 'refused',
  'execute-error/no-signatures': 'refused',
  'execute-error/signatures-field-absent': 'refused',
  'execute-error/wrong-signer': 'refused',
  'execute-error/corrupt-signature': 'refused',
  'execute-error/third-signature': 'refused',
  'execute-error/unknown-signature-scheme': 'refused',
  'execute-error/stale-gas-coin': 'conflict',
  'execute-error/stale-gas-coin-owned-only': 'conflict',
  'execute-error/stale-owned-object': 'conflict',
  'execute-error/unknown-owned-object': 'missing',
  'execute-error/future-version-of-owned-object': 'missing',
  'execute-error/wrong-digest-of-owned-object': 'refused',
  'execute-error/unknown-shared-object': 'missing',
  'execute-error/shared-object-wrong-initial-version': 'refused',
  'execute-error/object-of-another-owner': 'refused',
  'execute-error/gas-coin-of-another-owner': 'refused',
  'execute-error/unknown-package': 'refused',
  'execute-error/gas-price-below-reference': 'refused',
  'execute-error/gas-price-1000000': 'refused',
  'execute-error/budget-below-minimum': 'refused',
  'execute-error/budget-above-maximum': 'refused',
  'execute-error/budget-above-balance': 'refused',
  'execute-error/malformed-bytes': 'refused',
  'execute-error/trailing-byte': 'refused',
  'execute-error/transaction-absent': 'refused',
  'execute-error/bcs-absent': 'refused',
  'execute-error/wrong-digest-given': 'refused',
  'execute-error/transaction-larger-than-128KiB': 'refused',
  'epochs-net/execute-expired-epoch': 'refused',
  'protocol/request-of-3.9MiB': 'refused',
  'equivocation/1-owned-second-while-first-runs': 'conflict',
  'equivocation/1-owned-second-after-first-landed': 'conflict',
  'equivocation/2-shared-second': 'conflict',
  'equivocation/3-shared-b-at-once': 'conflict',
  'equivocation/4-object-second': 'conflict',
  'batch/two-first-good-second-bad-price': ['executed', 'refused'],
  'batch/two-first-malformed-second-good': ['refused', 'executed'],
  'batch/three-conflicting': ['executed', 'conflict', 'conflict'],
  'batch/three-conflicting-again': ['executed', 'conflict', 'conflict'],
  // Its read mask asks for nothing.
  'execute-ok/empty-mask': 'unknown',
  // Whole calls. Without a reason, a text that is not known proves nothing.
  'execute-error/unknown-mask-path': 'unknown',
  'execute-error/empty-list': 'conflict',
  'batch/21-items': 'conflict',
  'execute-error/undecodable-protobuf': 'unknown',
  'protocol/request-of-4.1MiB': 'unknown',
  'protocol/request-of-20MiB': 'unknown',
  // A transaction in progress lands even after the end of its call.
  'deadline/50ms-owned': 'unknown',
  'deadline/50ms-shared': 'unknown',
  'deadline/5ms-owned': 'unknown',
  'deadline/1ms-owned': 'unknown',
  'deadline/300ms-shared': 'unknown',
  'deadline/2500ms-batch-of-6-shared': 'unknown',
  'deadline/1200ms-batch-of-3-shared-first-answer': 'unknown',
  'cancel/300ms-batch-of-4-shared': 'unknown',
  'shutdown/SIGTERM-during-execution': 'unknown',
  'shutdown/SIGKILL-during-execution': 'unknown',
};

const calls = readGrpcRecording().filter(({ method }) => method === 'ExecuteTransactions');

const EXECUTE = 'iota_executeTransactionBlock';
const inEpoch = () => Promise.resolve({ epochStartedAt: 0, epochEndsAt: Infinity });

/** The submission of one item, to a node that answers it as recorded, in the middle of an epoch. */
async function submitRecorded(call: RecordedGrpcCall, index: number): Promise<Submission> {
  const node = await RawNode.start((stream, { ':path': path }) => {
    if (!String(path).endsWith('/ExecuteTransactions')) return answer(stream, [frameOf(NETWORK)]);
    answer(stream, resultOf(call, index).map(frameOf), {
      'grpc-status': String(call.code),
      'grpc-message': encodeURIComponent(call.message),
      ...(call.details?.length && { 'grpc-status-details-bin': detailsOf(call) }),
    });
  });
  ends.push(() => node.stop());
  const client = new LedgerNodes({ urls: [node.url], timeoutMs: 5_000 });
  const { transaction, signatures } = itemsOf(call)[index] ?? {};
  const texts = (signatures?.signatures ?? []).map((one) =>
    toBase64(Uint8Array.from(bcs.byteVector().parse(one.bcs!.data))),
  );
  return submitTransaction(client, transaction?.bcs?.data ?? Uint8Array.of(0), texts, inEpoch);
}

const NETWORK = toBinary(
  GetServiceInfoResponseSchema,
  create(GetServiceInfoResponseSchema, { chainId: { digest: new Uint8Array(32) } }),
);

/**
 * None where the request is not a message, or so long that no item of it is recorded whole: the node refused
 * all of these.
 */
function itemsOf({ name, request }: RecordedGrpcCall): readonly ExecuteTransactionItem[] {
  if (name.endsWith('/undecodable-protobuf')) return [];
  return decodeRecorded(ExecuteTransactionsRequestSchema, request).transactions;
}

function resultsOf({ responses }: RecordedGrpcCall) {
  return responses.flatMap(
    (response) => decodeRecorded(ExecuteTransactionsResponseSchema, response).transactionResults,
  );
}

/** The recorded answer, reduced to one item. */
function resultOf(call: RecordedGrpcCall, index: number): Uint8Array[] {
  const results = resultsOf(call);
  if (results.length === 0) return [];
  const only = { transactionResults: [results[index]!] };
  const schema = ExecuteTransactionsResponseSchema;
  return [toBinary(schema, create(schema, only))];
}

/** In the recording, details are readable. */
function detailsOf({ code, message, details }: RecordedGrpcCall): string {
  const [{ fieldViolations }] = details as [MessageInitShape<typeof BadRequestSchema>];
  const value = toBinary(BadRequestSchema, create(BadRequestSchema, { fieldViolations }));
  const full = { code, message, details: [{ typeUrl: '/google.rpc.BadRequest', value }] };
  return Buffer.from(toBinary(StatusSchema, create(StatusSchema, full))).toString('base64');
}

describe('a submission whose answer was recorded on a node', () => {
  const cases = calls.flatMap((call) => {
    const results = call.code === 0 ? resultsOf(call) : [null];
    return results.map((_result, index) => ({
      call,
      index,
      name: `${call.name}, item ${index}`,
    }));
  });

  it.each(cases)('has the outcome that the node means: $name', async ({ call, index }) => {
    const outcome = OUTCOMES[call.name] ?? 'executed';
    const expected = typeof outcome === 'string' ? outcome : outcome[index];
    expect(await submitRecorded(call, index)).toMatchObject({ kind: expected });
  });

  it('is recorded for every item that the table names, and for the beginning of the longest calls', () => {
    const items = (name: string) => cases.filter((one) => one.call.name === name).length;
    for (const [name, outcome] of Object.entries(OUTCOMES)) {
      expect([name, items(name)]).toEqual([name, typeof outcome === 'string' ? 1 : outcome.length]);
    }
    expect(items('batch/20-items')).toBeGreaterThan(1);
    expect(new Set(cases.map(({ call }) => call.name)).size).toBe(calls.length);
  });

  it.each<[string, Kind]>([
    ['execute-repeated/json-rpc', 'executed'],
    ['equivocation/json-rpc-second-while-first-runs', 'conflict'],
    ['epochs-net/execute-expired-epoch', 'refused'],
  ])('has the outcome that the node means over JSON-RPC: %s', async (name, kind) => {
    const submitted = readRpcRecording().filter(({ method }) => method === EXECUTE);
    expect(submitted).toHaveLength(3);
    const { params, answer: recorded } = submitted.find((one) => one.name === name)!;
    const node = await StandInNode.start(() => recorded as Response);
    ends.push(() => void node.stop());
    const [bytes, signatures] = params as [string, string[]];
    const sent = Buffer.from(bytes, 'base64');
    expect(await submitTransaction(clientOf(node), sent, signatures, inEpoch)).toMatchObject({
      kind,
    });
  });

  it('is in the table if it was refused', () => {
    const names = calls.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(Object.keys(OUTCOMES)));
  });
});
