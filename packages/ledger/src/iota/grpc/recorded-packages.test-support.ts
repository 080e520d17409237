import { fromBinary } from '@bufbuild/protobuf';
import {
  type ExecutedTransaction,
  GetTransactionsRequestSchema,
  GetTransactionsResponseSchema,
} from '../../node-messages/index.js';
import { readGrpcRecording } from '../../recorded-node/index.js';
import { toBase58 } from '@iota/iota-sdk/utils';
import { SYSTEM_PACKAGE } from '../move/package-object.test-support.js';
import { isPackage, readPackage } from '../move/read-package.js';

const PARTS = ['transaction.bcs', 'effects.bcs', 'events', 'input_objects', 'output_objects'];

/**
 * Transactions as `GetTransactions` has shown them with all their parts, by digest: other calls asked for a
 * part of one.
 */
export const recordedTransactions: ReadonlyMap<string, ExecutedTransaction> = new Map(
  readGrpcRecording()
    .filter(
      ({ method, code, request }) =>
        method === 'GetTransactions' && code === 0 && asksForAll(request),
    )
    .flatMap(({ responses }) => responses.map((one) => Buffer.from(one, 'base64')))
    .flatMap((one) => fromBinary(GetTransactionsResponseSchema, one).transactionResults)
    .flatMap(({ result }) => (result.case === 'executedTransaction' ? [result.value] : []))
    .map((one) => [toBase58(one.transaction!.digest!.digest), one]),
);

function asksForAll(request: string): boolean {
  const { readMask } = fromBinary(GetTransactionsRequestSchema, Buffer.from(request, 'base64'));
  return PARTS.every((part) => readMask?.paths.includes(part));
}

/** The BCS of the packages whose types are emitted in recordings, by id. */
export const recordedPackages: ReadonlyMap<string, Uint8Array> = new Map(
  [...recordedTransactions.values()]
    .flatMap(({ outputObjects }) => outputObjects?.objects ?? [])
    .flatMap(({ bcs }) => bcs?.data ?? [])
    .filter(isPackage)
    .concat(SYSTEM_PACKAGE)
    .map((bytes) => [readPackage(bytes).id, bytes]),
);
