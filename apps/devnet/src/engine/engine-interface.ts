import type { EventEmitter } from 'node:events';
import type {
  CheckpointRecord,
  EpochRecord,
  ExecutedTransaction,
  ObjectRecord,
  ObjectReference,
  SimulatedExecution,
  TransactionData,
  LedgerChanges,
} from './engine-records.js';

export type * from './engine-records.js';

export interface EngineOptions {
  /** The same seed and clock give the same ids and digests. Default: random. */
  readonly seed?: string;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
  /** Default 1000. */
  readonly referenceGasPrice?: bigint;
  /** Coins that exist from the start, besides the faucet's. */
  readonly genesisFunds?: readonly { readonly owner: string; readonly amount: bigint }[];
  /** The faucet's initial balance, in coins of at most 2^64 - 1. Default 4·10^18 in several coins. */
  readonly faucetBalance?: bigint;
  /** Default `each-transaction`; `on-demand` waits for `sealCheckpoint()`. */
  readonly checkpoints?: 'each-transaction' | 'on-demand';
  /**
   * Number of executed transactions kept, with the object versions they replaced; about 5 KB each. Default
   * 200 000.
   */
  readonly keptTransactions?: number;
  /** Start of epoch 0, in ms since 1970. Default: the time of genesis. */
  readonly epochStartMs?: number;
  /** Shown by the system state only; the host ends epochs. Default 24 h. */
  readonly epochDurationMs?: number;
}

/** A checked transaction that has locked its owned inputs. */
export interface AcceptedTransaction {
  readonly digest: string;
  readonly bytes: Uint8Array;
  readonly data: TransactionData;
  readonly signatures: readonly string[];
}

export type Acceptance =
  | { readonly kind: 'accepted'; readonly accepted: AcceptedTransaction }
  | { readonly kind: 'executed'; readonly transaction: ExecutedTransaction };

export type ObjectLookup<T extends ObjectRecord = ObjectRecord> =
  | { readonly kind: 'found'; readonly object: T }
  | { readonly kind: 'deleted'; readonly reference: ObjectReference }
  | { readonly kind: 'unknown' };

export type PastObjectLookup<T extends ObjectRecord = ObjectRecord> =
  | ObjectLookup<T>
  | { readonly kind: 'version-not-found' }
  | { readonly kind: 'version-too-high'; readonly latest: number };

export interface Page<T> {
  readonly data: readonly T[];
  /**
   * Cursor for the next call (exclusive); on the last page the last item's, null only if the page is empty.
   */
  readonly nextCursor: string | null;
  readonly hasNextPage: boolean;
}

export interface Balance {
  readonly coinType: string;
  readonly coinObjectCount: number;
  readonly totalBalance: bigint;
}

export interface SystemState {
  readonly epoch: bigint;
  readonly epochStartMs: number;
  readonly epochDurationMs: number;
  readonly referenceGasPrice: bigint;
  /** Of IOTA, at the current time. */
  readonly totalSupply: bigint;
}

/** A range in ledger order; `after` is exclusive, absent: from the start of that direction. */
export interface Listing {
  readonly after?: number;
  readonly limit: number;
  readonly descending?: boolean;
}

/**
 * The ledger, implemented by `Engine`. Refusals throw `EngineError` with the node's code and message: -32602
 * for bytes that do not decode, -32002 for every fault that the client can correct. Ids and addresses are
 * accepted in any form and returned in the full one.
 */
export interface EngineInterface {
  // Identity
  /** The first 4 bytes of the genesis checkpoint's digest, as 8 hex digits. */
  readonly chainIdentifier: string;
  /** The genesis checkpoint's digest. */
  readonly chainDigest: string;
  readonly seed: string;
  readonly faucetAddress: string;
  /** Ids of the demo package and its shared counter. */
  readonly demo: { readonly packageId: string; readonly counterId: string };

  // Submission
  /**
   * Checks signatures and inputs and takes the locks. Idempotent per digest; an executed digest returns its
   * result. With `splitMs`, half of the validators receive the transaction immediately, the others after that
   * time.
   */
  accept(bytes: Uint8Array, signatures: readonly string[], splitMs?: number): Promise<Acceptance>;
  /**
   * Executes and stores. Idempotent. Refuses if the epoch released the locks and the inputs have changed
   * since.
   */
  execute(accepted: AcceptedTransaction): ExecutedTransaction;
  /** Releases the locks, as if the transaction had never been accepted. No effect after execution. */
  abandon(accepted: AcceptedTransaction): void;
  /** Calls `accept` and `execute`. */
  submit(bytes: Uint8Array, signatures: readonly string[]): Promise<ExecutedTransaction>;
  advanceClock(timestampMs: number): void;
  /** Replays a transaction that a ledger with the same genesis has executed at the same position. */
  executeAgain(bytes: Uint8Array, signatures: readonly string[]): void;
  /**
   * Executes without signatures and locks and stores nothing. An empty gas payment counts as an ample coin,
   * and owned inputs have the version that the transaction names, as long as it is kept.
   */
  dryRun(bytes: Uint8Array): SimulatedExecution;
  /** The faucet's transaction: one new coin per amount, in order, as `coins`. */
  mint(
    recipient: string,
    amounts: readonly bigint[],
  ): Promise<{ transaction: ExecutedTransaction; coins: readonly ObjectRecord[] }>;

  // Control
  /** Ends the epoch, releases every lock; the new epoch's number. */
  advanceEpoch(): bigint;
  setReferenceGasPrice(price: bigint): void;
  /** Locks an object's current version for the given transaction, as long as locks last. */
  lockObject(objectId: string, digest: string): void;
  /** Duration of future locks; null, the default: until the epoch ends. */
  setLockLifetime(lifetimeMs: number | null): void;
  lockedBy(objectId: string): string | null;
  /**
   * Drops the checkpoints below this one with their transactions and the object versions that these replaced.
   * The newest checkpoint stays. The remaining transactions are shown without the objects that they deleted.
   */
  prune(belowCheckpoint: number): void;
  /** Seals the transactions since the last checkpoint; null when there are none, unless `isEmptyToo`. */
  sealCheckpoint(isEmptyToo?: boolean): CheckpointRecord | null;

  // State
  systemState(): SystemState;
  /** Null for an epoch that has not begun. */
  findEpoch(epoch: bigint): EpochRecord | null;
  getObject(id: string): ObjectLookup;
  getPastObject(id: string, version: number): PastObjectLookup;
  /** All versions of a package, oldest first; empty if none of them has this id. */
  listPackageVersions(id: string): readonly ObjectRecord[];
  /** In a stable order (by id); `cursor` is an object id, exclusive. */
  listOwnedObjects(
    owner: string,
    page: {
      readonly cursor?: string | null;
      readonly limit: number;
      readonly filter?: (object: ObjectRecord) => boolean;
    },
  ): Page<ObjectRecord>;
  /** One coin type's coins, or with `coinType` null all of them; stable order by type and id. */
  listCoins(
    owner: string,
    coinType: string | null,
    page: { readonly cursor?: string | null; readonly limit: number },
  ): Page<ObjectRecord>;
  /** Count 0 and balance 0 for a type of which the owner has no coin. */
  getBalance(owner: string, coinType: string): Balance;
  /** 0 for a type that does not exist. */
  getTotalSupply(coinType: string): bigint;

  // History
  getTransaction(digest: string): ExecutedTransaction | null;
  /** Number of transactions ever executed, including genesis. */
  readonly transactionCount: number;
  listTransactions(listing: Listing): readonly ExecutedTransaction[];
  readonly latestCheckpoint: CheckpointRecord;
  getCheckpoint(sequenceNumberOrDigest: number | string): CheckpointRecord | null;
  listCheckpoints(listing: Listing): readonly CheckpointRecord[];
  /** Number of the oldest checkpoint that has not been dropped. */
  readonly oldestCheckpoint: number;
  /** Position of the first transaction whose deleted objects a node can show. */
  readonly deletionsShownFrom: number;

  // Move
  /** Module names of a package; null if there is none. */
  getModuleNames(packageId: string): readonly string[] | null;
  /** The response of a node's `getNormalizedMoveFunction`; null if there is no such function. */
  getNormalizedFunction(packageId: string, module: string, name: string): object | null;

  /** Listeners run synchronously, in ledger order. */
  readonly changes: EventEmitter<LedgerChanges>;
}
