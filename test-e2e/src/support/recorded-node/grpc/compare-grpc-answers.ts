import { type DescMethod, fromBinary, type Message } from '@bufbuild/protobuf';
import { reflect, type ReflectMessage } from '@bufbuild/protobuf/reflect';
import {
  BadRequestSchema,
  type CheckpointData,
  CheckpointDataSchema,
  ErrorInfoSchema,
  StatusSchema,
} from '@forecourt/ledger/node-messages';
import type { RecordedGrpcCall } from '@forecourt/ledger/recorded-node';
import { bcs } from '@iota/iota-sdk/bcs';
import { normalize } from '../compare-answers.js';
import { BY_CLIENT } from './call-options.js';
import type { RawAnswer } from './recorded-call-client.js';
import { decodeResponses, recordedMessages } from './translate-requests.js';

/** Values of texts that differ between any two ledgers, beside those of JSON-RPC. */
const PLACEHOLDERS: readonly (readonly [RegExp, string])[] = [
  [/SequenceNumber\(\s*\d+,?\s*\)/g, 'SequenceNumber(<n>)'],
  [/(Version|current version:) 0x[0-9a-f]+/g, '$1 <n>'],
  [/Balance of gas object \d+/g, 'Balance of gas object <n>'],
  [/(Requested checkpoint|lowest available checkpoint|"Checkpoint) \d+/g, '$1 <n>'],
];
/** The items of answers to requests with several items. */
const ITEMS: Readonly<Record<string, string>> = {
  ExecuteTransactions: 'transaction_results',
  GetObjects: 'objects',
  GetTransactions: 'transaction_results',
  SimulateTransactions: 'transaction_results',
};
/** Messages whose fields depend on their value. */
const LEAVES: ReadonlySet<string> = new Set([
  'google.protobuf.Struct',
  'google.protobuf.Timestamp',
  'google.protobuf.Value',
]);
/** Which events a transaction emits depends on its functions. */
const OF_EVENTS = '.events.events.events[]';
/** A checkpoint of a node has a transaction of the consensus at least, one of devnet may be empty. */
const OF_TRANSACTIONS = '.executed_transactions';
const EMPTY_CHECKPOINT = 'checkpoint, endMarker';
/** Calls that ask for checkpoints of any time. */
const MAY_BE_EMPTY =
  /^(checkpoint\/latest|stream\/(start-3-ahead-end-4-ahead|no-start-no-end|deadline)|epochs-net\/(checkpoint|stream)-below-lowest)$/;

/** Differences from the recorded answer in the codes, the texts, the fields and the order of the messages. */
export function compareGrpcAnswers(
  method: DescMethod | null,
  recorded: RecordedGrpcCall,
  ours: RawAnswer,
): readonly string[] {
  const [theirStatus, ourStatus] = [describeRecorded(recorded), describe(ours)];
  if (theirStatus !== ourStatus) return [`node: ${theirStatus}`, `devnet: ${ourStatus}`];
  // The project has no form of other methods, which both refuse.
  if (!method) return [];
  const theirs = recordedMessages(method, recorded);
  const mine = decodeResponses(method, ours.responses);
  const optional = [OF_EVENTS, ...(MAY_BE_EMPTY.test(recorded.name) ? [OF_TRANSACTIONS] : [])];
  if (recorded.shortened) {
    const lines = compareSets(fieldsOf(method, theirs), fieldsOf(method, mine), optional);
    return lines.filter((line) => line.startsWith(NODE_ONLY));
  }
  return [
    ...compareSets(fieldsOf(method, theirs), fieldsOf(method, mine), optional),
    ...(method.output.typeName === CheckpointDataSchema.typeName
      ? compareSets(ordersOf(theirs as CheckpointData[]), ordersOf(mine as CheckpointData[]), [
          ...(MAY_BE_EMPTY.test(recorded.name) ? ['executedTransactions'] : []),
        ])
      : []),
    ...(recorded.headers ? compareSets(headersOf(recorded.headers), headersOf(ours.headers)) : []),
  ];
}

const NODE_ONLY = 'node only: ';

/** Entries with an `optional` text are compared if both sets have some. */
function compareSets(
  theirs: ReadonlySet<string>,
  mine: ReadonlySet<string>,
  optional: readonly string[] = [],
): string[] {
  const absent = optional.filter((text) =>
    [theirs, mine].some((set) => [...set].every((one) => !one.includes(text))),
  );
  const isCompared = (one: string) => !absent.some((text) => one.includes(text));
  return [
    ...[...theirs]
      .filter((one) => !mine.has(one))
      .filter(isCompared)
      .map((one) => `${NODE_ONLY}${one}`),
    ...[...mine]
      .filter((one) => !theirs.has(one))
      .filter(isCompared)
      .map((one) => `devnet only: ${one}`),
  ];
}

function describeRecorded({ code, message, details }: RecordedGrpcCall): string {
  return statusText(code, message, details ?? []);
}

function describe({ code, message, status }: RawAnswer): string {
  const details = status ? fromBinary(StatusSchema, status).details : [];
  return statusText(code, message, details.map(describeDetail));
}

function statusText(code: number, message: string, details: readonly object[]): string {
  if (BY_CLIENT.has(code)) return 'ended by the client';
  return normalizeText(JSON.stringify([code, message, ...details]));
}

function describeDetail({ typeUrl, value }: { typeUrl: string; value: Uint8Array }): object {
  if (!typeUrl.endsWith('BadRequest')) {
    return { typeUrl, reason: fromBinary(ErrorInfoSchema, value).reason };
  }
  const violations = fromBinary(BadRequestSchema, value).fieldViolations;
  return {
    typeUrl,
    fieldViolations: violations.map(({ field, description, reason }) => {
      return { field, ...(description && { description }), ...(reason && { reason }) };
    }),
  };
}

function normalizeText(text: string): string {
  return PLACEHOLDERS.reduce((rest, [value, name]) => rest.replace(value, name), normalize(text));
}

function headersOf(headers: Readonly<Record<string, unknown>>): Set<string> {
  return new Set(Object.keys(headers).map((name) => `header ${name}`));
}

/** The messages of each checkpoint that has transactions or events, in order. */
function ordersOf(parts: readonly CheckpointData[]): Set<string> {
  const orders = parts
    .map(({ payload }) => payload.case)
    .join(', ')
    .split(/(?<=endMarker), /);
  return new Set(
    orders.filter((order) => order !== EMPTY_CHECKPOINT && order.endsWith('endMarker')),
  );
}

/** The fields that are present, with the values of those that describe an error. */
function fieldsOf(method: DescMethod, messages: readonly Message[]): Set<string> {
  const fields = new Set<string>();
  for (const message of messages) {
    for (const [name, part] of partsOf(method, reflect(method.output, message))) {
      addFields(fields, name, part);
    }
  }
  return fields;
}

/** The message, or each of its items by its place where the answer has one for each item of the request. */
function partsOf(method: DescMethod, message: ReflectMessage): [string, ReflectMessage][] {
  const name = ITEMS[method.name];
  const field = message.fields.find((one) => one.name === name);
  if (field?.fieldKind !== 'list') return [['', message]];
  return [...message.get(field)].map((item, index) => [
    `.${field.name}[${index}]`,
    item as ReflectMessage,
  ]);
}

function addFields(fields: Set<string>, path: string, message: ReflectMessage): void {
  for (const field of message.fields) {
    if (!message.isSet(field)) continue;
    const name = `${path}.${field.name}`;
    if (field.fieldKind === 'message' && !LEAVES.has(field.message.typeName)) {
      addFields(fields, name, message.get(field));
    } else if (field.fieldKind === 'list' && field.listKind === 'message') {
      for (const item of message.get(field)) addFields(fields, `${name}[]`, item as ReflectMessage);
    } else {
      fields.add(describeField(name, message.get(field)));
    }
  }
}

function describeField(name: string, value: unknown): string {
  if (name.endsWith('.error.code')) return `${name}: ${String(value)}`;
  if (name.endsWith('.error.message')) return `${name}: ${normalizeText(String(value))}`;
  if (name.endsWith('.effects.bcs.data')) return `${name}: ${outcomeOf(value as Uint8Array)}`;
  return name;
}

/** The status of the effects. */
function outcomeOf(effects: Uint8Array): string {
  const { status } = bcs.TransactionEffects.parse(effects).V1;
  if (!status.Failed) return 'success';
  return `${status.Failed.error.$kind} in command ${status.Failed.command}`;
}
