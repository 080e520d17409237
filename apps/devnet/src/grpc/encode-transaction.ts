import { create } from '@bufbuild/protobuf';
import { type JsonValue, fromJson } from '@bufbuild/protobuf';
import { timestampFromMs, ValueSchema } from '@bufbuild/protobuf/wkt';
import {
  type ExecutedTransaction as NodeTransaction,
  type Event as NodeEvent,
  EventSchema,
  ExecutedTransactionSchema,
} from '@forecourt/ledger/node-messages';
import { bcs } from '@iota/iota-sdk/bcs';
import { TransactionDataBuilder } from '@iota/iota-sdk/transactions';
import { fromBase58, fromBase64 } from '@iota/iota-sdk/utils';
import type {
  EventRecord,
  ExecutedTransaction,
  ExecutionRecord,
  ObjectRecord,
  ObjectReference,
  SimulatedExecution,
} from '../engine/engine-interface.js';
import { digestOf, fromHexId, fullId } from '../engine/hash.js';
import { parseStruct } from '../engine/serialize-object.js';
import { encodeEffects } from '../methods/transactions/encode-effects.js';
import { encodeBalanceChange, encodeObjectChange } from './encode-changes.js';
import { encodeObject, versioned } from './encode-object.js';
import { GrpcCode } from './grpc-codes.js';
import { failure } from './grpc-status.js';
import { isKnownField, type ReadMask } from './read-mask.js';
import type { ServedNode } from './served-node.js';

/** Of the system, which signs nothing. */
const SYSTEM_SIGNATURE = new Uint8Array(97);
/** Digest of an empty list of events. */
const NO_EVENTS = digestOf('TransactionEvents', Uint8Array.of(0));

const EventBcs = bcs.struct('Event', {
  packageId: bcs.Address,
  module: bcs.string(),
  sender: bcs.Address,
  type: bcs.StructTag,
  contents: bcs.byteVector(),
});

/**
 * The parts of a transaction that are asked for. Throws `GrpcFailure` where an object of it has been pruned.
 * Without `hasObjects`, the lists of objects are empty.
 */
export function encodeTransaction(
  node: ServedNode,
  transaction: ExecutedTransaction,
  mask: ReadMask,
  { hasObjects } = { hasObjects: true },
): NodeTransaction {
  const { signatures, data, checkpoint } = transaction;
  const sealed = checkpoint === null ? null : node.engine.getCheckpoint(checkpoint);
  const objects = (references: readonly ObjectVersion[]) =>
    encodeObjects(hasObjects ? references.map((reference) => readVersion(node, reference)) : []);
  const { modifiedAtVersions } = transaction.effects;
  const isSystems = data.kind.ProgrammableTransaction === undefined;
  const asks = (name: string) => mask.asks(name);
  const message = create(ExecutedTransactionSchema, {
    ...encodeParts(node, transaction, mask),
    ...(asks('signatures') && {
      signatures: encodeSignatures(isSystems ? [SYSTEM_SIGNATURE] : signatures.map(fromBase64)),
    }),
    ...(asks('checkpoint') && checkpoint !== null && { checkpoint: BigInt(checkpoint) }),
    ...(asks('timestamp') && sealed && { timestamp: timestampFromMs(sealed.timestampMs) }),
    ...(asks('input_objects') && { inputObjects: objects(modifiedAtVersions) }),
    ...(asks('output_objects') && { outputObjects: objects(writtenBy(transaction)) }),
  });
  return mask.applyTo(ExecutedTransactionSchema, message);
}

/**
 * The same for a transaction that has only been simulated: it has no signatures, and its input objects are
 * all that it was given. `bytes`: the transaction as the node shows it.
 */
export function encodeSimulated(
  node: ServedNode,
  record: SimulatedExecution,
  mask: ReadMask,
  bytes: Uint8Array,
): NodeTransaction {
  const { inputObjects, outputObjects } = record;
  const digest = TransactionDataBuilder.getDigestFromBytes(bytes);
  const message = create(ExecutedTransactionSchema, {
    ...encodeParts(node, { ...record, bytes, digest }, mask, inputObjects),
    ...(mask.asks('signatures') && { signatures: {} }),
    ...(mask.asks('input_objects') && { inputObjects: encodeObjects(inputObjects) }),
    ...(mask.asks('output_objects') && { outputObjects: encodeObjects(outputObjects) }),
  });
  return mask.applyTo(ExecutedTransactionSchema, message);
}

/** `simulated`: the input objects of a simulation, one of which may stand in for the gas. */
function encodeParts(
  { engine, profiles }: ServedNode,
  record: ExecutionRecord,
  mask: ReadMask,
  simulated: readonly ObjectRecord[] = [],
) {
  const { digest, bytes, effects, events, objectChanges, balanceChanges } = record;
  const { field } = ExecutedTransactionSchema;
  const { current } = profiles;
  return {
    ...(mask.asks('transaction') && {
      transaction: { digest: encodeDigest(digest), bcs: { data: bytes } },
    }),
    ...(mask.asks('effects') && {
      effects: {
        digest: encodeDigest(effects.digest),
        bcs: { data: encodeEffects(engine, effects, simulated) },
      },
    }),
    ...(mask.asks('events') && {
      events: {
        digest: encodeDigest(effects.eventsDigest ?? NO_EVENTS),
        events: { events: events.map(encodeEvent) },
      },
    }),
    ...(mask.asks('object_changes') &&
      isKnownField(field.objectChanges, current) && {
        objectChanges: {
          objectChanges: objectChanges.map((change) => encodeObjectChange(change, effects)),
        },
      }),
    ...(mask.asks('balance_changes') &&
      isKnownField(field.balanceChanges, current) && {
        balanceChanges: { balanceChanges: balanceChanges.map(encodeBalanceChange) },
      }),
  };
}

/** As in checkpoints: nodes show the JSON of events with single transactions only. */
export function withoutJson(event: NodeEvent): NodeEvent {
  delete event.jsonContents;
  return event;
}

export const encodeDigest = (digest: string) => ({ digest: fromBase58(digest) });

/** As BCS of byte vectors, with their length in front. */
function encodeSignatures(signatures: readonly Uint8Array[]) {
  return {
    signatures: signatures.map((signature) => ({
      bcs: { data: bcs.byteVector().serialize(signature).toBytes() },
    })),
  };
}

export function encodeEvent({
  packageId,
  transactionModule: module,
  sender,
  type,
  bcs: contents,
  fields,
}: EventRecord): NodeEvent {
  const event = { packageId, module, sender, type: parseStruct(type), contents };
  return create(EventSchema, {
    bcs: { data: versioned(EventBcs.serialize(event).toBytes()) },
    packageId: { objectId: fromHexId(fullId(packageId)) },
    module,
    sender: { address: fromHexId(fullId(sender)) },
    eventType: type,
    bcsContents: { data: contents },
    jsonContents: fromJson(ValueSchema, fields as JsonValue),
  });
}

function encodeObjects(objects: readonly ObjectRecord[]) {
  return { objects: objects.map(encodeObject) };
}

type ObjectVersion = Pick<ObjectReference, 'objectId' | 'version'>;

function writtenBy({ effects }: ExecutedTransaction): ObjectReference[] {
  const { created, mutated, unwrapped } = effects;
  return [...created, ...mutated, ...unwrapped].map(({ reference }) => reference);
}

function readVersion({ engine }: ServedNode, { objectId, version }: ObjectVersion): ObjectRecord {
  const found = engine.getPastObject(objectId, version);
  if (found.kind === 'found') return found.object;
  const text = `Object ${objectId} at version ${version} has been pruned`;
  throw failure(GrpcCode.failedPrecondition, text);
}
