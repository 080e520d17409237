import type { Owner } from '@forecourt/contracts';
import { UpstreamFailed } from '../upstream-errors.js';

// The parts of an IOTA node's JSON-RPC results from which events are derived. u64 are decimal strings.

export interface NodeCheckpoint {
  readonly sequenceNumber: string;
  /** Base58, as the next. */
  readonly digest: string;
  /** Absent for the first of the ledger. */
  readonly previousDigest?: string | null;
  readonly epoch: string;
  readonly timestampMs: string;
  /** Transactions on the ledger up to and including this checkpoint. */
  readonly networkTotalTransactions: string;
  /** Base58 digests, in order. */
  readonly transactions: readonly string[];
  readonly endOfEpochData?: unknown;
}

export interface NodePage<T, C> {
  readonly data: readonly T[];
  readonly nextCursor: C | null;
  readonly hasNextPage: boolean;
}

export interface NodeEvent {
  readonly id: { readonly txDigest: string; readonly eventSeq: string };
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

export type NodeObjectChange =
  | { readonly type: 'published'; readonly packageId: string }
  | ({ readonly type: 'created' } & NodeWrite)
  | ({ readonly type: 'mutated' } & NodeWrite)
  | { readonly type: 'deleted'; readonly objectId: string }
  | { readonly type: 'transferred' | 'wrapped'; readonly objectId: string };

export interface NodeReference {
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

/** With `showInput`, `showEffects`, `showEvents` and `showObjectChanges`; a node omits parts that it cannot derive. */
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

const COUNT = /^\d{1,16}$/;

/** Reads a count that a node writes as a decimal string. Throws `UpstreamFailed` for anything else. */
export function readCount(value: unknown, name: string): number {
  if (typeof value === 'string' && COUNT.test(value)) return Number(value);
  throw new UpstreamFailed(`${name}: the ledger node returned ${describe(value)}, not a number`);
}

/** Checks the fields from which events are derived. Throws `UpstreamFailed` naming the invalid one. */
export function readCheckpoint(value: unknown): NodeCheckpoint {
  const checkpoint = (value ?? {}) as NodeCheckpoint;
  const number = readCount(checkpoint.sequenceNumber, 'sequenceNumber of a checkpoint');
  for (const name of ['epoch', 'timestampMs', 'networkTotalTransactions'] as const) {
    readCount(checkpoint[name], `${name} of checkpoint ${number}`);
  }
  const { digest, previousDigest, transactions } = checkpoint;
  const isFirst = number === 0 && previousDigest == null;
  if (typeof digest !== 'string' || !(isFirst || typeof previousDigest === 'string')) {
    throw new UpstreamFailed(`digests of checkpoint ${number}: not a text`);
  }
  if (!Array.isArray(transactions) || transactions.some((digest) => typeof digest !== 'string')) {
    throw new UpstreamFailed(`transactions of checkpoint ${number}: not a list of digests`);
  }
  return checkpoint;
}

function describe(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
