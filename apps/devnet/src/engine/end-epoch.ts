import { bcs } from '@iota/iota-sdk/bcs';
import { describeObjectChanges } from './describe-effects.js';
import type { ExecutionRecord } from './engine-interface.js';
import { NO_GAS, NO_GAS_OBJECT, systemData } from './genesis.js';
import { digestOfText } from './hash.js';
import { StoredObject } from './stored-object.js';

export interface EndingEpoch {
  /** The system state at the end of the epoch. */
  readonly systemState: StoredObject;
  readonly epoch: bigint;
  /** Digest of the previous checkpoint. */
  readonly previousCheckpoint: string;
  readonly timestampMs: number;
}

/**
 * The system transaction that ends an epoch: unsigned and free, it writes a new version of the system state.
 */
export function endEpoch({
  systemState: before,
  epoch,
  previousCheckpoint,
  timestampMs,
}: EndingEpoch): {
  readonly transaction: ExecutionRecord;
  readonly systemState: StoredObject;
} {
  const data = systemData('ChangeEpoch');
  const bytes = bcs.TransactionData.serialize({ V1: data }).toBytes();
  // The bytes are the same for every epoch: the digest also covers the previous checkpoint.
  const digest = digestOfText('ChangeEpoch', `${epoch}|${previousCheckpoint}`);
  const after = before.writtenBy(digest);
  const written = { owner: after.owner, reference: after.reference };
  return {
    systemState: after,
    transaction: {
      digest,
      bytes,
      data,
      timestampMs,
      events: [],
      balanceChanges: [],
      objectChanges: describeObjectChanges(data.sender, [{ before, after }], after.version),
      effects: {
        status: { status: 'success' },
        executedEpoch: epoch,
        gasUsed: NO_GAS,
        modifiedAtVersions: [{ objectId: before.objectId, version: before.version }],
        sharedObjects: [before.reference],
        transactionDigest: digest,
        created: [],
        mutated: [written],
        unwrapped: [],
        deleted: [],
        unwrappedThenDeleted: [],
        wrapped: [],
        gasObject: NO_GAS_OBJECT,
        eventsDigest: null,
        dependencies: [before.previousTransaction],
        lamportVersion: after.version,
        digest: digestOfText('TransactionEffects', `${digest}|${after.digest}`),
      },
    },
  };
}
