import { fromBinary } from '@bufbuild/protobuf';
import { type ExecutedTransaction, GetTransactionsResponseSchema } from '@forecourt/node-messages';
import { readGrpcRecording } from '@forecourt/node-messages/recorded-node';
import { toBase58 } from '@iota/iota-sdk/utils';
import { SYSTEM_PACKAGE } from '../move/package-object.test-support.js';
import { isPackage, readPackage } from '../move/read-package.js';

/** Transactions with all their parts, as `GetTransactions` has shown them, by digest. */
export const recordedTransactions: ReadonlyMap<string, ExecutedTransaction> = new Map(
  readGrpcRecording()
    .filter(
      ({ name, method }) => method === 'GetTransactions' && /(^|-net\/)transaction[/-]/.test(name),
    )
    .flatMap(({ responses }) => responses.map((one) => Buffer.from(one, 'base64')))
    .flatMap((one) => fromBinary(GetTransactionsResponseSchema, one).transactionResults)
    .flatMap(({ result }) => (result.case === 'executedTransaction' ? [result.value] : []))
    .map((one) => [toBase58(one.transaction!.digest!.digest), one]),
);

/** The BCS of the packages whose types are emitted in recordings, by id. */
export const recordedPackages: ReadonlyMap<string, Uint8Array> = new Map(
  [...recordedTransactions.values()]
    .flatMap(({ outputObjects }) => outputObjects?.objects ?? [])
    .flatMap(({ bcs }) => bcs?.data ?? [])
    .filter(isPackage)
    .concat(SYSTEM_PACKAGE)
    .map((bytes) => [readPackage(bytes).id, bytes]),
);
