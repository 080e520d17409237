import type { IotaObjectResponse } from '@iota/iota-sdk/client';
import type { TransactionEffects } from '../../executed-transaction.js';
import type { ExpectedPayment } from '../../expected-payment.js';
import type { SimulatedTransaction, TransactionPart } from '../../ledger.js';
import type { GasCoin } from '../../object-reference.js';
import type { Parameter } from '../move/read-module.js';

/**
 * Asks a node, in one of its dialects. Each call rejects with `NodeRefusal` if the node answers with an
 * error, and with `NodeFailure` for every other failure: also for an answer that is malformed, or to another
 * call.
 */
export interface NodeClient {
  /** The network: the first four bytes of its first checkpoint's digest, in hex. */
  getChainIdentifier(): Promise<string>;
  getSystemState(): Promise<SystemState>;
  /** Number of the newest checkpoint. */
  getLatestCheckpoint(): Promise<number>;
  getCheckpoint(number: number): Promise<NodeCheckpoint>;
  /** Those that the node has, from the first after `cursor`, in one direction. */
  getCheckpoints(
    cursor: number | null,
    limit: number,
    descending: boolean,
  ): Promise<readonly NodeCheckpoint[]>;
  /**
   * In the order of the ids; other parts may be shown too. `knownVersions`: a version of some of them at
   * which the ledger had it, by id. A dialect that does not tell a deleted object from one that never existed
   * finds out by it; the version of the deletion is then the lowest that it can have.
   */
  getObjects(
    ids: readonly string[],
    parts: readonly ObjectPart[],
    knownVersions?: ReadonlyMap<string, number>,
  ): Promise<readonly IotaObjectResponse[]>;
  /** The parameters of a Move function; null: the node has no such function. */
  getParameters(
    packageId: string,
    module: string,
    name: string,
  ): Promise<readonly Parameter[] | null>;
  /** A page of an owner's gas coins; `cursor`: that of the page before. */
  getCoins(owner: string, cursor: string | null): Promise<CoinPage>;
  /** The number of an owner's gas coins. */
  countCoins(owner: string): Promise<bigint>;
  /** With `payment`, effects of another one are an answer to another call. */
  getTransaction(
    digest: string,
    parts: readonly ShownPart[],
    payment?: ExpectedPayment,
  ): Promise<ShownTransaction<TransactionEffects>>;
  /** In any order. Those that the node does not have are null or absent, or the node refuses the call. */
  getTransactions(
    digests: readonly string[],
    parts: readonly ShownPart[],
  ): Promise<readonly (ShownTransaction | null)[]>;
  /** A page of the digests of transactions that satisfy a filter; null: all. */
  queryTransactions(
    filter: object | null,
    cursor: string | null,
    limit: number,
    descending: boolean,
  ): Promise<NodePage<string>>;
  /** A page of the ids of Move events that satisfy a filter. */
  queryEvents(
    filter: object,
    cursor: NodeEventId | null,
    limit: number,
    descending: boolean,
  ): Promise<NodePage<NodeEventId>>;
  /** Simulates an unsigned transaction. */
  dryRun(bytes: Uint8Array): Promise<SimulatedTransaction>;
  /** Submits a signed transaction, and waits for its effects. */
  execute(bytes: Uint8Array, signatures: readonly string[]): Promise<TransactionEffects>;
}

export type ObjectPart = 'content' | 'owner' | 'previousTransaction' | 'type';
export type ShownPart = TransactionPart | 'effects';

export interface SystemState {
  readonly epoch: bigint;
  readonly referenceGasPrice: bigint;
  readonly protocolVersion: number;
  readonly epochStartedAt: number;
  /** 0: this epoch may end at any time. */
  readonly epochDurationMs: number;
  /** Whether the last epoch ended abnormally. */
  readonly isInSafeMode: boolean;
}

/** In the JSON of nodes: u64 are decimal strings. */
export interface NodeCheckpoint {
  readonly sequenceNumber: string;
  /** Base58, as the next. */
  readonly digest: string;
  /** Absent or null for the first of the ledger. */
  readonly previousDigest?: string | null;
  readonly epoch: string;
  readonly timestampMs: string;
  /** Transactions on the ledger up to and including this checkpoint. */
  readonly networkTotalTransactions: string;
  /** Base58 digests, in order. */
  readonly transactions: readonly string[];
  /** Present in the last checkpoint of an epoch. */
  readonly endOfEpochData?: unknown;
}

export interface CoinPage {
  readonly coins: readonly ListedCoin[];
  /** Null: there are no more. */
  readonly nextCursor: string | null;
}

export interface ListedCoin {
  readonly coin: GasCoin;
  /** Digest of the transaction that made this version. */
  readonly changedBy: string;
}

/** In the JSON of nodes, with the parts that were asked for, as far as the node can show them. */
export interface ShownTransaction<Effects = unknown> {
  readonly digest: string;
  /** Absent where the node does not tell it; null: no checkpoint includes the transaction. */
  readonly checkpoint?: string | null;
  readonly timestampMs?: string;
  /** The part `input`. */
  readonly transaction?: unknown;
  readonly effects?: Effects | null;
  readonly events?: unknown;
  readonly objectChanges?: unknown;
  readonly balanceChanges?: unknown;
  /** The reasons of absent parts. */
  readonly errors?: readonly string[];
}

export interface NodeEventId {
  readonly txDigest: string;
  readonly eventSeq: string;
}

export interface NodePage<T> {
  readonly data: readonly T[];
  readonly nextCursor: T | null;
  readonly hasNextPage: boolean;
}
