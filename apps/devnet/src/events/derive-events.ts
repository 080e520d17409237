import { digestInBase64, type LedgerEvent, type StoredEventRecord } from '@forecourt/contracts';
import type {
  CheckpointRecord,
  ExecutedTransaction,
  ObjectChange,
  Owner,
} from '../engine/engine-interface.js';
import { fullId } from '../engine/hash.js';

/** The origin that legacy events name for objects that no Move call touched. */
const NATIVE = { packageId: fullId('0x2'), transactionModule: 'native' };

type Changed<T extends ObjectChange['type']> = Extract<ObjectChange, { type: T }>;

/**
 * The events of a checkpoint in ledger order: for each transaction the emitted events, then publish,
 * newObject, transferObject and deleteObject, each by object id; the checkpoint's own come last. That of a
 * checkpoint without transactions follows `last`, the event of the checkpoint before it.
 */
export function deriveEvents(
  checkpoint: CheckpointRecord,
  transactions: readonly ExecutedTransaction[],
  last: StoredEventRecord | null,
): StoredEventRecord[] {
  const timestamp = checkpoint.timestampMs;
  if (transactions.length === 0 && last !== null) {
    const { txSeq, eventSeq } = last.id;
    const event = { checkpoint: checkpoint.sequenceNumber };
    return [{ ...last, timestamp, id: { txSeq, eventSeq: eventSeq + 1 }, event }];
  }
  return transactions.flatMap((transaction, index) => {
    const events = transactionEvents(transaction);
    if (index === transactions.length - 1) {
      if (checkpoint.endOfEpoch) events.push({ epochChange: Number(checkpoint.epoch) + 1 });
      events.push({ checkpoint: checkpoint.sequenceNumber });
    }
    const txDigest = digestInBase64(transaction.digest);
    return events.map((event, eventSeq) => ({
      timestamp,
      txDigest,
      id: { txSeq: transaction.sequence, eventSeq },
      event,
    }));
  });
}

function transactionEvents(transaction: ExecutedTransaction): LedgerEvent[] {
  const { events, objectChanges, data } = transaction;
  const { sender } = data;
  const origin = { ...originOf(transaction), sender };
  const emitted = events.map((event): LedgerEvent => {
    const { packageId, transactionModule, type, fields } = event;
    const bcs = Buffer.from(event.bcs).toString('base64');
    return { moveEvent: { packageId, transactionModule, sender: event.sender, type, fields, bcs } };
  });
  const formerOwners = ownersOfInputs(transaction);
  return [
    ...emitted,
    ...sorted(objectChanges, 'published', ({ packageId }) => packageId).map(
      ({ packageId }): LedgerEvent => ({ publish: { sender, packageId } }),
    ),
    ...sorted(objectChanges, 'created', idOf).map(
      ({ objectId, owner, objectType }): LedgerEvent => ({
        newObject: { ...origin, ...declaredIn(objectType), recipient: owner, objectId },
      }),
    ),
    ...sorted(objectChanges, 'mutated', idOf)
      .filter(({ objectId, owner }) => hasMoved(formerOwners.get(objectId), owner))
      .map(({ objectId, owner, version, objectType: type }): LedgerEvent => ({
        transferObject: { ...origin, recipient: owner, objectId, version, type },
      })),
    ...sorted(objectChanges, 'deleted', idOf).map(({ objectId }): LedgerEvent => ({
      deleteObject: { ...origin, objectId },
    })),
  ];
}

/** The module that declares the type of a new object made it, but for the framework's. */
function declaredIn(objectType: string): Partial<typeof NATIVE> {
  const [address, transactionModule] = objectType.split('::') as [string, string];
  const isFramework = ['0x1', '0x2', '0x3'].map(fullId).includes(fullId(address));
  return isFramework ? {} : { packageId: fullId(address), transactionModule };
}

/** Object changes do not name the command that made them: they are attributed to the first Move call. */
function originOf({ data }: ExecutedTransaction): typeof NATIVE {
  const commands = data.kind.ProgrammableTransaction?.commands ?? [];
  const call = commands.find(({ MoveCall }) => MoveCall)?.MoveCall;
  return call ? { packageId: fullId(call.package), transactionModule: call.module } : NATIVE;
}

/** The previous owners of owned inputs: the sender, and the payer for gas coins. */
function ownersOfInputs({ data }: ExecutedTransaction): Map<string, string> {
  const inputs = data.kind.ProgrammableTransaction?.inputs ?? [];
  const owners = new Map<string, string>();
  for (const { Object: input } of inputs) {
    if (input?.ImmOrOwnedObject) owners.set(fullId(input.ImmOrOwnedObject.objectId), data.sender);
  }
  for (const { objectId } of data.gasData.payment) {
    owners.set(fullId(objectId), data.gasData.owner);
  }
  return owners;
}

function hasMoved(before: string | undefined, owner: Owner): boolean {
  if (before === undefined) return false;
  return typeof owner !== 'object' || !('AddressOwner' in owner) || owner.AddressOwner !== before;
}

const idOf = ({ objectId }: { readonly objectId: string }) => objectId;

function sorted<T extends ObjectChange['type']>(
  changes: readonly ObjectChange[],
  type: T,
  id: (change: Changed<T>) => string,
): Changed<T>[] {
  const matching = changes.filter((change): change is Changed<T> => change.type === type);
  return matching.sort((a, b) => (id(a) < id(b) ? -1 : 1));
}
