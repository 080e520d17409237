import {
  canonicalAddress,
  digestInBase64,
  type LedgerEvent,
  type Owner,
  type StoredEventRecord,
} from '@forecourt/contracts';
import { base58, base64 } from '@scure/base';
import type { NodeCheckpoint, NodeEventId } from '@forecourt/ledger';
import type { LinkedCheckpoint } from '../sealed-checkpoint.js';

/** The origin of objects that no Move call touched, as in the legacy dialect. */
const NATIVE = { packageId: full('0x2'), transactionModule: 'native' };

const FRAMEWORK: ReadonlySet<string> = new Set(['0x1', '0x2', '0x3'].map(full));

type Changed<T extends NodeObjectChange['type']> = Extract<NodeObjectChange, { type: T }>;

/** Position of a checkpoint's first transaction in the ledger's total order. */
export function firstTxSeq({ networkTotalTransactions, transactions }: NodeCheckpoint): number {
  return Number(networkTotalTransactions) - transactions.length;
}

/** The place of a checkpoint in the ledger's chain. */
export function linkOf(checkpoint: NodeCheckpoint): LinkedCheckpoint {
  const { sequenceNumber, digest, previousDigest, networkTotalTransactions, transactions } =
    checkpoint;
  const last = transactions.at(-1);
  return {
    number: Number(sequenceNumber),
    digest,
    previousDigest: previousDigest ?? null,
    total: Number(networkTotalTransactions),
    lastTransaction: last === undefined ? null : digestInBase64(last),
    time: Number(checkpoint.timestampMs),
  };
}

/**
 * A transaction's events as in the legacy dialect and in its order. The last transaction of a checkpoint also
 * has `checkpoint` and, if it ends the epoch, `epochChange` before it.
 */
export function deriveRecords(
  transaction: CompleteTransaction,
  checkpoint: NodeCheckpoint,
): StoredEventRecord[] {
  const { digest } = transaction;
  const index = checkpoint.transactions.indexOf(digest);
  const events = transactionEvents(transaction);
  if (index === checkpoint.transactions.length - 1) {
    if (checkpoint.endOfEpochData) events.push({ epochChange: Number(checkpoint.epoch) + 1 });
    events.push({ checkpoint: Number(checkpoint.sequenceNumber) });
  }
  const txSeq = firstTxSeq(checkpoint) + index;
  const timestamp = Number(checkpoint.timestampMs);
  const txDigest = digestInBase64(digest);
  return events.map((event, eventSeq) => ({ timestamp, txDigest, id: { txSeq, eventSeq }, event }));
}

/**
 * The event of a checkpoint without transactions. `end`: that of the last checkpoint before it that has some.
 */
export function emptyRecord(checkpoint: NodeCheckpoint, { txDigest, id, event }: EndRecord) {
  const number = Number(checkpoint.sequenceNumber);
  const eventSeq = id.eventSeq + number - event.checkpoint;
  return {
    timestamp: Number(checkpoint.timestampMs),
    txDigest,
    id: { txSeq: id.txSeq, eventSeq },
    event: { checkpoint: number },
  };
}

/** The event of a checkpoint with transactions, the last of its records. */
export type EndRecord = StoredEventRecord & { readonly event: { readonly checkpoint: number } };

/** Null: the last record is not that of a checkpoint. */
export function endOf(records: readonly StoredEventRecord[]): EndRecord | null {
  const last = records.at(-1);
  return last !== undefined && 'checkpoint' in last.event ? (last as EndRecord) : null;
}

function transactionEvents(transaction: CompleteTransaction): LedgerEvent[] {
  const { effects, events, objectChanges } = transaction;
  const sender = full(transaction.transaction.data.sender);
  const origin = { ...originOf(transaction), sender };
  const formerOwners = ownersOfInputs(transaction);
  return [
    ...events.map(describeMoveEvent),
    ...sorted(objectChanges, 'published', ({ packageId }) => full(packageId)).map(
      ({ packageId }): LedgerEvent => ({ publish: { sender, packageId: full(packageId) } }),
    ),
    ...sorted(objectChanges, 'created', idOf).map(
      ({ objectId, owner, version, objectType }): LedgerEvent => ({
        newObject: {
          ...originOfNew(objectType, origin),
          recipient: owner,
          objectId: full(objectId),
          objectType,
          version: Number(version),
        },
      }),
    ),
    ...sorted(objectChanges, 'mutated', idOf)
      .filter((change) => hasMoved(formerOwners.get(idOf(change)), change.owner))
      .map(({ objectId, owner, version, objectType: type }): LedgerEvent => ({
        transferObject: {
          ...origin,
          recipient: owner,
          objectId: full(objectId),
          version: Number(version),
          type,
        },
      })),
    // From the effects: a pruned node silently omits deleted objects from the object changes.
    ...sortedById(effects.deleted ?? []).map(({ objectId, version }): LedgerEvent => ({
      deleteObject: { ...origin, objectId: full(objectId), version },
    })),
  ];
}

function describeMoveEvent(event: NodeEvent): LedgerEvent {
  const { transactionModule, type, parsedJson: fields, bcsEncoding = 'base58' } = event;
  const bcs = bcsEncoding === 'base64' ? event.bcs : base64.encode(base58.decode(event.bcs));
  const packageId = full(event.packageId);
  return {
    moveEvent: { packageId, transactionModule, sender: full(event.sender), type, fields, bcs },
  };
}

/**
 * Object changes do not name the command that made them: they are attributed to the first Move call. A new
 * object is of the module that declares its type, which alone can make it; the framework's, such as coins,
 * are made for any command.
 */
function originOf({ transaction }: CompleteTransaction): typeof NATIVE {
  const commands = transaction.data.transaction.transactions ?? [];
  const call = commands.find(({ MoveCall }) => MoveCall)?.MoveCall;
  return call ? { packageId: full(call.package), transactionModule: call.module } : NATIVE;
}

function originOfNew<Origin extends typeof NATIVE>(objectType: string, origin: Origin): Origin {
  const [address, transactionModule] = objectType.split('::');
  const packageId = full(address!);
  if (transactionModule === undefined || FRAMEWORK.has(packageId)) return origin;
  return { ...origin, packageId, transactionModule };
}

/**
 * The previous owners of owned inputs: the sender, and the payer for gas coins. A received object belonged to
 * another object's address, which the JSON does not contain: it counts as moved.
 */
function ownersOfInputs({ transaction }: CompleteTransaction): Map<string, string> {
  const { sender, gasData, transaction: program } = transaction.data;
  const owners = new Map<string, string>();
  for (const { objectId, objectType } of program.inputs ?? []) {
    if (objectId === undefined) continue;
    if (objectType === 'immOrOwnedObject') owners.set(full(objectId), full(sender));
    if (objectType === 'receiving') owners.set(full(objectId), '');
  }
  for (const { objectId } of gasData.payment) owners.set(full(objectId), full(gasData.owner));
  return owners;
}

function hasMoved(before: string | undefined, owner: Owner): boolean {
  if (before === undefined) return false;
  if (typeof owner !== 'object' || !('AddressOwner' in owner)) return true;
  return full(owner.AddressOwner) !== before;
}

function idOf({ objectId }: { readonly objectId: string }): string {
  return full(objectId);
}

function sortedById(references: readonly NodeReference[]): readonly NodeReference[] {
  return references.toSorted((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
}

function sorted<T extends NodeObjectChange['type']>(
  changes: readonly NodeObjectChange[],
  type: T,
  id: (change: Changed<T>) => string,
): Changed<T>[] {
  const matching = changes.filter((change): change is Changed<T> => change.type === type);
  return matching.sort((a, b) => (id(a) < id(b) ? -1 : 1));
}

function full(address: string): string {
  return canonicalAddress(address) ?? address;
}

// The parts of an IOTA node's JSON-RPC results from which events are derived. u64 are decimal strings.

export interface NodeEvent {
  readonly id: NodeEventId;
  readonly packageId: string;
  readonly transactionModule: string;
  readonly sender: string;
  readonly type: string;
  readonly parsedJson: unknown;
  /** Absent: base58. */
  readonly bcsEncoding?: 'base58' | 'base64';
  readonly bcs: string;
}

interface NodeWrite {
  readonly owner: Owner;
  readonly objectType: string;
  readonly objectId: string;
  readonly version: string;
}

type NodeObjectChange =
  | { readonly type: 'published'; readonly packageId: string }
  | ({ readonly type: 'created' } & NodeWrite)
  | ({ readonly type: 'mutated' } & NodeWrite)
  | { readonly type: 'deleted'; readonly objectId: string }
  | { readonly type: 'transferred' | 'wrapped'; readonly objectId: string };

interface NodeReference {
  readonly objectId: string;
  readonly version: number;
}

interface NodeInput {
  readonly type: string;
  readonly objectType?: string;
  readonly objectId?: string;
}

interface NodeCommand {
  readonly MoveCall?: { readonly package: string; readonly module: string };
}

/**
 * With its input, effects, events and object changes; a node omits parts that it cannot derive.
 */
export interface NodeTransaction {
  /** Base58. */
  readonly digest: string;
  /** Absent until the node has indexed its checkpoint. */
  readonly checkpoint?: string;
  readonly transaction?: {
    readonly data: {
      readonly sender: string;
      readonly gasData: {
        readonly owner: string;
        readonly payment: readonly { readonly objectId: string }[];
      };
      readonly transaction: {
        readonly inputs?: readonly NodeInput[];
        readonly transactions?: readonly NodeCommand[];
      };
    };
  };
  readonly effects?: { readonly deleted?: readonly NodeReference[] };
  readonly events?: readonly NodeEvent[];
  readonly objectChanges?: readonly NodeObjectChange[];
  /** The reasons of omitted parts. */
  readonly errors?: readonly string[];
}

const PARTS = ['transaction', 'effects', 'events', 'objectChanges'] as const;

/** A transaction with all parts from which events are derived. */
export type CompleteTransaction = NodeTransaction &
  Required<Pick<NodeTransaction, (typeof PARTS)[number]>>;

/** The parts that the node has omitted. */
export function missingParts(transaction: NodeTransaction): readonly string[] {
  return PARTS.filter((part) => transaction[part] === undefined || transaction[part] === null);
}
