import type { ServerHttp2Stream } from 'node:http2';
import { create, type DescMessage, fromBinary, toBinary } from '@bufbuild/protobuf';
import { anyPack } from '@bufbuild/protobuf/wkt';
import {
  BadRequestSchema,
  type ExecutedTransaction,
  ExecutedTransactionSchema,
  type ExecuteTransactionsRequest,
  type GetTransactionsRequest,
  LedgerService,
  type Status,
  StatusSchema,
  TransactionExecutionService,
} from '../../node-messages/index.js';
import {
  decodeRecorded,
  readGrpcRecording,
  type RecordedGrpcCall,
} from '../../recorded-node/index.js';
import { encodeBase58 } from '../../base58/index.js';
import { frameOf } from './grpc-call.js';
import { answer } from './raw-node.test-support.js';
import { recordedPackages } from './recorded-packages.test-support.js';
import { status } from './grpc-errors.js';

const methods = {
  GetTransactions: LedgerService.method.getTransactions,
  ExecuteTransactions: TransactionExecutionService.method.executeTransactions,
  SimulateTransactions: TransactionExecutionService.method.simulateTransactions,
};
type Method = keyof typeof methods;

/** The node's answer about one transaction. */
interface Recorded {
  /** The digest, or the bytes in base64. */
  readonly key: string;
  /** The read mask, below the transaction. */
  readonly paths: ReadonlySet<string>;
  readonly result: Status | ExecutedTransaction;
}

const base64 = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString('base64');
const bytesOf = (text: string) => Buffer.from(text, 'base64');
const SIMULATED = 'executed_transaction.';
/** In front of a message. */
const PREFIX_BYTES = 5;

function readRequest(method: Method, bytes: Uint8Array) {
  const request = fromBinary(methods[method].input, bytes);
  const keys =
    method === 'GetTransactions'
      ? (request as GetTransactionsRequest).requests!.requests.map(({ digest }) =>
          encodeBase58(digest!.digest),
        )
      : (request as ExecuteTransactionsRequest).transactions.map(({ transaction }) =>
          base64(transaction?.bcs?.data),
        );
  const paths = (request.readMask?.paths ?? []).map((path) => path.replace(SIMULATED, ''));
  return { keys, paths };
}

function recordedIn(call: RecordedGrpcCall): Recorded[] {
  const method = call.method as Method;
  const { keys, paths } = readRequest(method, bytesOf(call.request));
  const { transactionResults } = decodeRecorded(methods[method].output, call.responses[0]!);
  return transactionResults.map(({ result: { value } }, index) => {
    const found = value && 'executedTransaction' in value ? value.executedTransaction : value;
    return {
      key: keys[index]!,
      paths: new Set(paths),
      result: found as Recorded['result'],
    };
  });
}

/**
 * Those whose transactions are known: of the longest requests, of bytes that are none, only the beginning is
 * recorded. The errors of whole calls show no transaction. `grpc-transactions.recorded-refusals.test.ts` has
 * the outcomes of both.
 */
const answered = readGrpcRecording().filter(
  ({ method, code, request }) => method in methods && code === status.OK && !request.includes('…'),
);

/** An answer with effects, and the transaction that was asked for: its digest, or its bytes in base64. */
export interface RecordedEffects {
  readonly name: string;
  readonly method: string;
  readonly key: string;
  readonly transaction: ExecutedTransaction;
}

/** All transactions that the node has shown with their effects. */
export function recordedEffects(): RecordedEffects[] {
  return answered.flatMap((call) =>
    recordedIn(call).flatMap(({ key, result }) => {
      const hasEffects = result && 'effects' in result && result.effects?.bcs;
      return hasEffects ? [{ name: call.name, method: call.method, key, transaction: result }] : [];
    }),
  );
}

/**
 * The stand-in answers by the transaction alone, so it cannot give these answers too: they are about no
 * transaction, about one with other signatures, about one before the node has executed it, or without checks
 * about one that is also simulated with checks. `grpc-transactions.recorded-refusals.test.ts` has those of
 * submissions, and `recordedEffects` the simulation.
 */
const AMBIGUOUS: ReadonlySet<string> = new Set([
  'transactions/empty-list',
  'execute-error/transaction-absent',
  'execute-error/bcs-absent',
  'execute-error/signatures-field-absent',
  'transactions/right-after-execution',
  'simulate/without-gas-payment-checks-disabled',
]);
const calls = answered.filter(({ name }) => !AMBIGUOUS.has(name));
const recorded = Object.groupBy(calls, ({ method }) => method);
const answers = new Map(
  Object.entries(recorded).map(([method, all]) => [method, all!.flatMap(recordedIn)]),
);
/** Those that the node has accepted in a call. */
const knownPaths = new Set(
  recorded['GetTransactions']!.flatMap(
    ({ request }) => readRequest('GetTransactions', bytesOf(request)).paths,
  ),
);

/**
 * Serves what a real node of version 1.21 has answered: refuses masks as it does, and shows what the mask
 * names.
 */
export async function serveRecording(
  stream: ServerHttp2Stream,
  headers: Record<string, unknown>,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  const name = String(headers[':path']).split('/').at(-1)!;
  const request = Buffer.concat(chunks).subarray(PREFIX_BYTES);
  if (name === 'GetObjects') {
    const packages = readPackages(request);
    if (packages) return answer(stream, [frameOf(packages)]);
  }
  if (!(name in methods)) return answer(stream, sameCall(name, request));
  const method = name as Method;
  const { keys, paths } = readRequest(method, request);
  const unknown = paths.find((path) => !knownPaths.has(path));
  if (unknown !== undefined) return refuseMask(stream, unknown);
  const results = keys.map((key) => resultOf(method, key, paths));
  const messages = method === 'GetTransactions' ? results.map((one) => [one]) : [results];
  const frames = messages.map((transactionResults) =>
    frameOf(encode(methods[method].output, { transactionResults })),
  );
  answer(stream, frames);
}

function encode(schema: DescMessage, fields: Record<string, unknown>): Uint8Array {
  return toBinary(schema, create(schema, fields));
}

/** The answer to a call for recorded packages; null for one for other objects. */
function readPackages(bytes: Uint8Array): Uint8Array | null {
  const { requests } = fromBinary(LedgerService.method.getObjects.input, bytes);
  const found = requests!.requests.map(({ objectRef }) =>
    recordedPackages.get(`0x${Buffer.from(objectRef!.objectId!.objectId).toString('hex')}`),
  );
  if (found.includes(undefined)) return null;
  const objects = found.map((data) => ({
    result: { case: 'object', value: { bcs: { data } } },
  }));
  return encode(LedgerService.method.getObjects.output, { objects });
}

/** The messages of the recorded call with this request. */
function sameCall(name: string, request: Uint8Array): Uint8Array[] {
  const call = readGrpcRecording().find(
    (one) => one.method === name && one.code === status.OK && one.request === base64(request),
  );
  if (!call) throw new Error(`no such call of ${name} is recorded`);
  return call.responses.map((message) => frameOf(bytesOf(message)));
}

/** The node's answer to the simulation of these bytes, in base64. */
export function recordedSimulation(bytes: string): ExecutedTransaction {
  const all = answers.get('SimulateTransactions')!;
  return all.find(({ key }) => key === bytes)!.result as ExecutedTransaction;
}

function resultOf(method: Method, key: string, paths: readonly string[]): object {
  const all = answers.get(method)!.filter((one) => one.key === key);
  const isSimulated = method === 'SimulateTransactions';
  const needed = isSimulated ? paths.filter((path) => !OF_CHECKPOINT.has(path)) : paths;
  const whole = all.find((one) => needed.every((path) => covers(one.paths, path)));
  const result =
    whole?.result ?? all.find((one) => one.result.$typeName === 'google.rpc.Status')?.result;
  if (!result) return { result: { case: 'error', value: absent(key) } };
  if (result.$typeName === 'google.rpc.Status') return { result: { case: 'error', value: result } };
  const executedTransaction = masked(result, paths);
  return isSimulated
    ? { result: { case: 'simulatedTransaction', value: { executedTransaction } } }
    : { result: { case: 'executedTransaction', value: executedTransaction } };
}

/** Simulated transactions, which are in no checkpoint, have no such fields. */
const OF_CHECKPOINT = new Set(['checkpoint', 'timestamp']);

function covers(mask: ReadonlySet<string>, path: string): boolean {
  const [first] = path.split('.');
  return mask.has(path) || mask.has(first!) || mask.has('*');
}

function absent(key: string): Status {
  const message = `Transaction ${key} not found`;
  return create(StatusSchema, { code: status.NOT_FOUND, message });
}

/** The fields that the mask names; it passes through lists of objects. */
function masked(transaction: ExecutedTransaction, paths: readonly string[]): ExecutedTransaction {
  const fields = transaction as unknown as Record<string, unknown>;
  const kept = new Map<string, unknown>();
  for (const path of paths) {
    const [first = '', second] = path.split('.').map(camelCase);
    const value = fields[first];
    if (second === undefined || value === undefined) kept.set(first, value);
    else kept.set(first, withField(value, second, kept.get(first)));
  }
  return create(ExecutedTransactionSchema, Object.fromEntries(kept));
}

function withField(value: unknown, name: string, kept: unknown): object {
  const { objects } = value as { objects?: Record<string, unknown>[] };
  if (objects) return { objects: objects.map((one) => ({ [name]: one[name] })) };
  return { ...(kept as object), [name]: (value as Record<string, unknown>)[name] };
}

const camelCase = (name: string) =>
  name.replaceAll(/_(\w)/g, (_whole, letter: string) => letter.toUpperCase());

/** A node of that version does not know the path: it refuses the whole call. */
function refuseMask(stream: ServerHttp2Stream, path: string): void {
  const message = `invalid read_mask path: ${path}`;
  const violation = { field: 'read_mask', description: message, reason: 'FIELD_INVALID' };
  const badRequest = create(BadRequestSchema, { fieldViolations: [violation] });
  const detail = { ...anyPack(BadRequestSchema, badRequest), typeUrl: '/google.rpc.BadRequest' };
  const code = status.INVALID_ARGUMENT;
  const details = toBinary(
    StatusSchema,
    create(StatusSchema, { code, message, details: [detail] }),
  );
  answer(stream, [], {
    'grpc-status': String(code),
    'grpc-message': message,
    'grpc-status-details-bin': Buffer.from(details).toString('base64').replace(/=+$/, ''),
  });
}
