import { create } from '@bufbuild/protobuf';
import { type JsonValue, fromJson } from '@bufbuild/protobuf';
import { timestampFromMs, ValueSchema } from '@bufbuild/protobuf/wkt';
import {
  type ExecutedTransaction as NodeTransaction,
  type Event as NodeEvent,
  EventSchema,
  ExecutedTransactionSchema,
} from '@forecourt/node-messages';
import { bcs } from '@iota/iota-sdk/bcs';
import { fromBase58, fromBase64 } from '@iota/iota-sdk/utils';
import { status } from '@grpc/grpc-js';
import type {
  EngineInterface,
  EventRecord,
  ExecutedTransaction,
  ExecutionRecord,
  ObjectReference,
} from '../engine/engine-interface.js';
import { fromHexId, fullId } from '../engine/hash.js';
import { parseStruct } from '../engine/serialize-object.js';
import { encodeEffects } from '../methods/transactions/encode-effects.js';
import { encodeBalanceChange, encodeObjectChange } from './encode-changes.js';
import { encodeObject, versioned } from './encode-object.js';
import { failure } from './grpc-status.js';
import type { ReadMask } from './read-mask.js';

const EventBcs = bcs.struct('Event', {
  packageId: bcs.Address,
  module: bcs.string(),
  sender: bcs.Address,
  type: bcs.StructTag,
  contents: bcs.byteVector(),
});

/** The parts of a transaction that are asked for. Throws `GrpcFailure` where an object of it has been pruned. */
export function encodeTransaction(
  engine: EngineInterface,
  transaction: ExecutedTransaction,
  mask: ReadMask,
): NodeTransaction {
  const { signatures, checkpoint } = transaction;
  const sealed = checkpoint === null ? null : engine.getCheckpoint(checkpoint);
  const objects = (references: readonly ObjectVersion[]) => ({
    objects: references.map((reference) => readVersion(engine, reference)),
  });
  const { modifiedAtVersions } = transaction.effects;
  const asks = (name: string) => mask.asks(name);
  const shown = create(ExecutedTransactionSchema, {
    ...encodeParts(engine, transaction, mask),
    ...(asks('signatures') && {
      signatures: {
        signatures: signatures.map((text) => ({ bcs: { data: lengthPrefixed(text) } })),
      },
    }),
    ...(asks('checkpoint') && checkpoint !== null && { checkpoint: BigInt(checkpoint) }),
    ...(asks('timestamp') && sealed && { timestamp: timestampFromMs(sealed.timestampMs) }),
    ...(asks('input_objects') && { inputObjects: objects(modifiedAtVersions) }),
    ...(asks('output_objects') && { outputObjects: objects(writtenBy(transaction)) }),
  });
  return mask.applyTo(ExecutedTransactionSchema, shown);
}

/** The same for a transaction that has only been simulated: it has no signatures, and its objects are not stored. */
export function encodeSimulated(
  engine: EngineInterface,
  record: ExecutionRecord,
  mask: ReadMask,
): NodeTransaction {
  const shown = create(ExecutedTransactionSchema, encodeParts(engine, record, mask));
  return mask.applyTo(ExecutedTransactionSchema, shown);
}

function encodeParts(engine: EngineInterface, record: ExecutionRecord, mask: ReadMask) {
  const { digest, bytes, effects, events, objectChanges, balanceChanges } = record;
  return {
    ...(mask.asks('transaction') && {
      transaction: { digest: encodeDigest(digest), bcs: { data: bytes } },
    }),
    ...(mask.asks('effects') && {
      effects: {
        digest: encodeDigest(effects.digest),
        bcs: { data: encodeEffects(engine, effects) },
      },
    }),
    ...(mask.asks('events') &&
      effects.eventsDigest !== null && {
        events: {
          digest: encodeDigest(effects.eventsDigest),
          events: { events: events.map(encodeEvent) },
        },
      }),
    ...(mask.asks('object_changes') && {
      objectChanges: {
        objectChanges: objectChanges.map((change) => encodeObjectChange(change, effects)),
      },
    }),
    ...(mask.asks('balance_changes') && {
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

/** BCS of a byte vector; nodes take signatures with and without their length, and send them with it. */
function lengthPrefixed(signature: string): Uint8Array {
  return bcs.byteVector().serialize(fromBase64(signature)).toBytes();
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

type ObjectVersion = Pick<ObjectReference, 'objectId' | 'version'>;

function writtenBy({ effects }: ExecutedTransaction): ObjectReference[] {
  const { created, mutated, unwrapped } = effects;
  return [...created, ...mutated, ...unwrapped].map(({ reference }) => reference);
}

function readVersion(engine: EngineInterface, { objectId, version }: ObjectVersion) {
  const found = engine.getPastObject(objectId, version);
  if (found.kind !== 'found') {
    throw failure(
      status.FAILED_PRECONDITION,
      `Object ${objectId} at version ${version} has been pruned`,
    );
  }
  return encodeObject(found.object);
}
