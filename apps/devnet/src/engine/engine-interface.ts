import type {
  CheckpointRecord,
  ExecutedTransaction,
  ExecutionRecord,
  ObjectRecord,
  ObjectReference,
  TransactionData,
} from './engine-records.js';

export type * from './engine-records.js';

export interface EngineOptions {
  /** Same seed and same clock: same ids and digests. Absent: drawn at random. */
  readonly seed?: string;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
  /** Default 1000. */
  readonly referenceGasPrice?: bigint;
  /** Coins that exist from the start, besides the faucet's. */
  readonly genesisFunds?: readonly { readonly owner: string; readonly amount: bigint }[];
  /** What the faucet owns at the start, in coins of at most 2^64 - 1. Default 4·10^18 in several coins. */
  readonly faucetBalance?: bigint;
  /** Default `each-transaction`; `on-demand` waits for `sealCheckpoint()`. */
  readonly checkpoints?: 'each-transaction' | 'on-demand';
  /** How many executed transactions are kept, and with them the object versions they replaced. About 5 KB each. Default 200 000. */
  readonly keptTransactions?: number;
  /** Shown by the system state only; the host ends epochs. Default 24 h. */
  readonly epochDurationMs?: number;
}

/** A checked transaction that holds the locks on its owned inputs. */
export interface AcceptedTransaction {
  readonly digest: string;
  readonly bytes: Uint8Array;
  readonly data: TransactionData;
  readonly signatures: readonly string[];
}

export type Acceptance =
  | { readonly kind: 'accepted'; readonly accepted: AcceptedTransaction }
  | { readonly kind: 'executed'; readonly transaction: ExecutedTransaction };

export type ObjectLookup =
  | { readonly kind: 'found'; readonly object: ObjectRecord }
  | { readonly kind: 'deleted'; readonly reference: ObjectReference }
  | { readonly kind: 'unknown' };

export type PastObjectLookup =
  | ObjectLookup
  | { readonly kind: 'version-not-found' }
  | { readonly kind: 'version-too-high'; readonly latest: number };

export interface Page<T> {
  readonly data: readonly T[];
  /** Cursor for the next call (exclusive); on the last page the last item's, null only if the page is empty. */
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
  /** Of IOTA, now. */
  readonly totalSupply: bigint;
}

/** `order` of the ledger; `after` is the last sequence (exclusive) in that direction, absent from the start. */
export interface Listing {
  readonly after?: number;
  readonly limit: number;
  readonly descending?: boolean;
}

export interface CoinMetadata {
  readonly id: string | null;
  readonly decimals: number;
  readonly name: string;
  readonly symbol: string;
  readonly description: string;
  readonly iconUrl: string | null;
}

/**
 * The ledger: `class Engine` in `engine.ts` implements it; `new Engine(options)`.
 *
 * Everything that refuses throws `EngineError` with the node's code and text:
 * -32602 for bytes that do not decode, -32002 for everything the client can correct.
 * Ids and addresses are taken in any form and answered in the full one.
 */
export interface EngineInterface {
  // Identity
  /** First 4 bytes of genesis' checkpoint digest, 8 hex digits. */
  readonly chainIdentifier: string;
  readonly seed: string;
  readonly faucetAddress: string;
  /** Where the demo package and its shared counter live. */
  readonly demo: { readonly packageId: string; readonly counterId: string };

  // Submission
  /**
   * Checks signatures and inputs and takes the locks. Idempotent per digest; an executed digest gives its result.
   * `splitMs`: half of the validators hear of it at once, the others so much later.
   */
  accept(bytes: Uint8Array, signatures: readonly string[], splitMs?: number): Promise<Acceptance>;
  /** Executes and stores. Idempotent. Refuses if the epoch released the locks and the inputs have moved on. */
  execute(accepted: AcceptedTransaction): ExecutedTransaction;
  /** Gives the locks back, as if it had never been accepted. No effect once executed. */
  abandon(accepted: AcceptedTransaction): void;
  /** `accept` and `execute` at once. */
  submit(bytes: Uint8Array, signatures: readonly string[]): Promise<ExecutedTransaction>;
  advanceClock(timestampMs: number): void;
  /** Executes what a ledger of the same beginning has executed before, at the same place in its order. */
  executeAgain(bytes: Uint8Array, signatures: readonly string[]): void;
  /** Executes without signatures, locks or traces. An empty gas payment is taken as an ample coin. */
  dryRun(bytes: Uint8Array): ExecutionRecord;
  /** The faucet's transaction: one new coin per amount, in order, as `coins`. */
  mint(
    recipient: string,
    amounts: readonly bigint[],
  ): Promise<{ transaction: ExecutedTransaction; coins: readonly ObjectRecord[] }>;

  // Control
  /** Ends the epoch, releases every lock; the new epoch's number. */
  advanceEpoch(): bigint;
  setReferenceGasPrice(price: bigint): void;
  /** Locks an object's current version for a foreign digest until the epoch ends (or for the holder's own end). */
  lockObject(objectId: string, digest: string): void;
  lockedBy(objectId: string): string | null;
  /** Seals what has been executed since the last one; null when nothing has. */
  sealCheckpoint(): CheckpointRecord | null;

  // State
  systemState(): SystemState;
  getObject(id: string): ObjectLookup;
  getPastObject(id: string, version: number): PastObjectLookup;
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
  /** A type the owner has none of: count 0, balance 0. */
  getBalance(owner: string, coinType: string): Balance;
  getAllBalances(owner: string): readonly Balance[];
  /** 0 for a type that does not exist. */
  getTotalSupply(coinType: string): bigint;
  getCoinMetadata(coinType: string): CoinMetadata | null;

  // History
  getTransaction(digest: string): ExecutedTransaction | null;
  /** How many transactions were ever executed, genesis included. */
  readonly transactionCount: number;
  listTransactions(listing: Listing): readonly ExecutedTransaction[];
  readonly latestCheckpoint: CheckpointRecord;
  getCheckpoint(sequenceNumberOrDigest: number | string): CheckpointRecord | null;
  listCheckpoints(listing: Listing): readonly CheckpointRecord[];

  // Move
  /** Module names of a package; null if there is none. */
  getModuleNames(packageId: string): readonly string[] | null;
  /** As a node's `getNormalizedMoveFunction` answers; null if there is none. */
  getNormalizedFunction(packageId: string, module: string, name: string): object | null;
  /** As a node's `getNormalizedMoveModule` answers; null if there is none. */
  getNormalizedModule(packageId: string, module: string): object | null;

  // Subscriptions; each returns its own end. Listeners run synchronously, in ledger order.
  onExecuted(listener: (transaction: ExecutedTransaction) => void): () => void;
  onCheckpoint(listener: (checkpoint: CheckpointRecord) => void): () => void;
  /** The shared clock got a new version; simulations set it too. */
  onClock(listener: (timestampMs: number) => void): () => void;
  onGasPrice(listener: (price: bigint) => void): () => void;
  onEpoch(listener: (epoch: bigint) => void): () => void;
}
