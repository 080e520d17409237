import { type DescMethod, fromBinary, type Message, toBinary } from '@bufbuild/protobuf';
import {
  type CheckpointData,
  type ExecuteTransactionsRequest,
  ExecuteTransactionsRequestSchema,
  type ExecuteTransactionsResponse,
  type GetEpochResponse,
  type GetTransactionsResponse,
  LedgerService,
  type ListOwnedObjectsResponse,
  type SimulateTransactionsRequest,
  StateService,
  TransactionExecutionService,
} from '@forecourt/ledger/node-messages';
import { decodeRecorded, type RecordedGrpcCall } from '@forecourt/ledger/recorded-node';
import { toHex } from '@iota/iota-sdk/utils';
import { FASTER } from './call-options.js';
import type { RecordedValues } from './recorded-values.js';

const METHODS = new Map<string, DescMethod>(
  [LedgerService, StateService, TransactionExecutionService]
    .flatMap(({ methods }): readonly DescMethod[] => methods)
    .map((method) => [method.name, method]),
);

/** Null for a method that the project does not use. */
export function methodOf({ method }: RecordedGrpcCall): DescMethod | null {
  return METHODS.get(method) ?? null;
}

/** The recorded messages of a call; the last one is a part where the recording has only that. */
export function recordedMessages(method: DescMethod, { responses }: RecordedGrpcCall): Message[] {
  return responses.map((response) => decodeRecorded(method.output, response));
}

export function decodeResponses(method: DescMethod, responses: readonly Uint8Array[]): Message[] {
  return responses.map((response) => fromBinary(method.output, response));
}

/** The recorded request with the values of this ledger. A request that is not readable stays as it is. */
export async function translateRequest(
  values: RecordedValues,
  call: RecordedGrpcCall,
): Promise<Uint8Array> {
  const bytes = Buffer.from(call.request, 'base64');
  const method = methodOf(call);
  if (!method) return bytes;
  let request: Message;
  try {
    request = fromBinary(method.input, bytes);
  } catch {
    return bytes;
  }
  if ('transactions' in request) {
    await translateSubmissions(values, request as ExecuteTransactionsRequest, call);
  } else {
    translateFields(values, request);
  }
  return toBinary(method.input, request);
}

async function translateSubmissions(
  values: RecordedValues,
  request: ExecuteTransactionsRequest | SimulateTransactionsRequest,
  call: RecordedGrpcCall,
): Promise<void> {
  const said = textsOf(call);
  for (const [index, item] of request.transactions.entries()) {
    await values.submissions.translate(item, said[index] ?? '');
  }
  if ('checkpointInclusionTimeoutMs' in request && request.checkpointInclusionTimeoutMs) {
    request.checkpointInclusionTimeoutMs /= BigInt(FASTER);
  }
}

/** The error of each item, or an empty text. */
export function textsOf(call: RecordedGrpcCall): string[] {
  const method = methodOf(call);
  const [answer] = (method && recordedMessages(method, call)) ?? [];
  const results = (answer as ExecuteTransactionsResponse | undefined)?.transactionResults ?? [];
  return results.map(({ result }) => (result.case === 'error' ? result.value.message : ''));
}

/** The bytes of the transactions that the call submits. */
export function submittedBy({ request }: RecordedGrpcCall): Uint8Array[] {
  try {
    const { transactions } = fromBinary(
      ExecuteTransactionsRequestSchema,
      Buffer.from(request, 'base64'),
    );
    return transactions.map(({ transaction }) => transaction?.bcs?.data ?? new Uint8Array());
  } catch {
    return [];
  }
}

type Fields = Record<string, unknown>;

const CHECKPOINTS = new Set(['sequenceNumber', 'startSequenceNumber', 'endSequenceNumber']);

function translateFields(values: RecordedValues, message: Fields): void {
  const { startSequenceNumber: start, endSequenceNumber: end } = message;
  translateVersion(values, message);
  for (const [key, value] of Object.entries(message)) {
    const name = key === 'value' && typeof message.case === 'string' ? message.case : key;
    message[key] = translateField(values, name, value);
  }
  if (typeof start === 'bigint' && typeof end === 'bigint') {
    message.endSequenceNumber = (message.startSequenceNumber as bigint) + end - start;
  }
}

function translateField(values: RecordedValues, name: string, value: unknown): unknown {
  if (value instanceof Uint8Array) return values.bytesFor(value);
  if (typeof value === 'string') return name === 'case' ? value : values.textFor(value);
  if (typeof value === 'bigint') return CHECKPOINTS.has(name) ? values.checkpointFor(value) : value;
  if (Array.isArray(value)) {
    return (value as unknown[]).map((item) => translateField(values, name, item));
  }
  if (typeof value === 'object' && value !== null) translateFields(values, value as Fields);
  return value;
}

/** That of an object, where its version has a name. */
function translateVersion(values: RecordedValues, message: Fields): void {
  const { objectId, version } = message as {
    objectId?: { objectId: Uint8Array };
    version?: bigint;
  };
  if (!objectId?.objectId || version === undefined) return;
  const ours = values.submissions.referenceFor(`0x${toHex(objectId.objectId)}`, version);
  if (ours) message.version = BigInt(ours.version);
}

/** Learns from an answer what stands for the values of the recorded one. */
export function learnAnswer(
  values: RecordedValues,
  method: DescMethod,
  recorded: readonly Message[],
  ours: readonly Message[],
): void {
  for (const [index, theirs] of recorded.entries()) {
    const mine = ours[index];
    if (!mine) return;
    if ('transactionResults' in theirs) {
      learnTransactions(values, theirs as GetTransactionsResponse, mine as GetTransactionsResponse);
    } else if ('nextPageToken' in theirs) {
      const [old, token] = [theirs, mine] as ListOwnedObjectsResponse[];
      values.setBytes(old!.nextPageToken, token!.nextPageToken);
    } else if ('payload' in theirs) {
      values.learnCheckpoint(theirs as CheckpointData, mine as CheckpointData);
    } else if ('epoch' in theirs && method.name === 'GetEpoch') {
      const [old, epoch] = [theirs, mine] as GetEpochResponse[];
      const numbers = [old!.epoch?.lastCheckpoint, epoch!.epoch?.lastCheckpoint];
      if (numbers[0] && numbers[1]) values.setCheckpoint(numbers[0], numbers[1]);
    }
  }
}

function learnTransactions(
  values: RecordedValues,
  recorded: GetTransactionsResponse,
  ours: GetTransactionsResponse,
): void {
  for (const [index, { result: theirs }] of recorded.transactionResults.entries()) {
    const mine = ours.transactionResults[index]?.result;
    if (theirs.case === 'executedTransaction' && mine?.case === 'executedTransaction') {
      values.learnTransaction(theirs.value, mine.value);
    }
  }
}
