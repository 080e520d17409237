import type {
  EngineInterface,
  Balance,
  CheckpointRecord,
  ExecutedTransaction,
  Listing,
  ObjectLookup,
  ObjectRecord,
  Page,
} from '../engine/engine-interface.js';
import { listCheckpointsUntil, listTransactionsUntil } from '../engine/transaction-log.js';
import type { FullNode } from '../engine/full-node.js';
import type { FaultBoard } from '../faults/fault-board.js';

/** The ledger as a read sees it: the current state or an earlier one. */
export type LedgerView = Pick<
  EngineInterface,
  | 'getObject'
  | 'listOwnedObjects'
  | 'listCoins'
  | 'getBalance'
  | 'getTransaction'
  | 'transactionCount'
  | 'listTransactions'
  | 'latestCheckpoint'
  | 'getCheckpoint'
  | 'listCheckpoints'
>;

/** Whether a transaction is still hidden from reads. */
type IsHidden = (transaction: ExecutedTransaction) => boolean;

/** The state from which the view hides transactions. */
type ViewedState = LedgerView & Pick<EngineInterface, 'getPastObject'>;

type PageRequest = { readonly cursor?: string | null; readonly limit: number };

/**
 * The ledger without its newest transactions: the current state with the hidden transactions undone, newest
 * first, using the object versions they replaced.
 */
class LaggingView implements LedgerView {
  readonly transactionCount: number;
  readonly latestCheckpoint: CheckpointRecord;
  readonly #before = new Map<string, ObjectRecord | null>();
  readonly #hiddenDigests = new Set<string>();

  constructor(
    private readonly state: ViewedState,
    isHidden: IsHidden,
  ) {
    let lastVisible = state.latestCheckpoint.sequenceNumber;
    for (const transaction of newestFirst(state)) {
      if (transaction.sequence === 0 || !isHidden(transaction)) break;
      this.undo(transaction);
      if (transaction.checkpoint !== null) lastVisible = transaction.checkpoint - 1;
    }
    this.transactionCount = state.transactionCount - this.#hiddenDigests.size;
    this.latestCheckpoint = state.getCheckpoint(Math.max(0, lastVisible)) ?? state.latestCheckpoint;
  }

  getObject(id: string): ObjectLookup {
    const object = this.#before.get(id);
    if (object === undefined) return this.state.getObject(id);
    return object === null ? { kind: 'unknown' } : { kind: 'found', object };
  }

  listOwnedObjects(
    owner: string,
    page: PageRequest & { readonly filter?: (object: ObjectRecord) => boolean },
  ): Page<ObjectRecord> {
    const objects = this.owned(owner).filter(page.filter ?? (() => true));
    return pageOf(
      objects.sort((a, b) => compare(a.objectId, b.objectId)),
      page,
    );
  }

  listCoins(owner: string, coinType: string | null, page: PageRequest): Page<ObjectRecord> {
    const coins = this.owned(owner).filter(
      ({ coin }) => coin !== null && (coinType === null || coin.coinType === coinType),
    );
    return pageOf(
      coins.sort((a, b) => compare(a.type, b.type) || compare(a.objectId, b.objectId)),
      page,
    );
  }

  getBalance(owner: string, coinType: string): Balance {
    const coins = this.listCoins(owner, coinType, { limit: Infinity }).data;
    const totalBalance = coins.reduce((sum, { coin }) => sum + (coin?.balance ?? 0n), 0n);
    return { coinType, coinObjectCount: coins.length, totalBalance };
  }

  getTransaction(digest: string): ExecutedTransaction | null {
    return this.#hiddenDigests.has(digest) ? null : this.state.getTransaction(digest);
  }

  listTransactions(listing: Listing): readonly ExecutedTransaction[] {
    return listTransactionsUntil(
      { list: (range) => this.state.listTransactions(range) },
      this.transactionCount,
      listing,
    );
  }

  getCheckpoint(id: number | string): CheckpointRecord | null {
    const checkpoint = this.state.getCheckpoint(id);
    return checkpoint && checkpoint.sequenceNumber <= this.latestCheckpoint.sequenceNumber
      ? checkpoint
      : null;
  }

  listCheckpoints(listing: Listing): readonly CheckpointRecord[] {
    return listCheckpointsUntil(
      { list: (range) => this.state.listCheckpoints(range) },
      this.latestCheckpoint.sequenceNumber,
      listing,
    );
  }

  private undo({ digest, effects }: ExecutedTransaction): void {
    this.#hiddenDigests.add(digest);
    for (const { reference } of [...effects.created, ...effects.unwrapped]) {
      this.#before.set(reference.objectId, null);
    }
    for (const { objectId, version } of effects.modifiedAtVersions) {
      const past = this.state.getPastObject(objectId, version);
      this.#before.set(objectId, past.kind === 'found' ? past.object : null);
    }
  }

  private owned(owner: string): ObjectRecord[] {
    const now = this.state.listOwnedObjects(owner, { limit: Number.MAX_SAFE_INTEGER });
    const untouched = now.data.filter(({ objectId }) => !this.#before.has(objectId));
    const restored = [...this.#before.values()].filter(
      (object): object is ObjectRecord => object !== null && ownedBy(object, owner),
    );
    return [...untouched, ...restored];
  }
}

function* newestFirst(state: ViewedState): Generator<ExecutedTransaction> {
  const limit = 100;
  let after: number | undefined;
  for (;;) {
    const page = state.listTransactions({
      limit,
      descending: true,
      ...(after !== undefined && { after }),
    });
    yield* page;
    after = page.at(-1)?.sequence;
    if (page.length < limit || after === undefined) return;
  }
}

function ownedBy({ owner }: ObjectRecord, address: string): boolean {
  if (typeof owner !== 'object') return false;
  return (
    ('AddressOwner' in owner && owner.AddressOwner === address) ||
    ('ObjectOwner' in owner && owner.ObjectOwner === address)
  );
}

function pageOf(sorted: readonly ObjectRecord[], { cursor, limit }: PageRequest) {
  const start = cursor ? sorted.findIndex(({ objectId }) => objectId === cursor) + 1 : 0;
  const data = sorted.slice(start, start + limit);
  return {
    data,
    nextCursor: data.at(-1)?.objectId ?? null,
    hasNextPage: start + limit < sorted.length,
  };
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/**
 * The state that a call of `method` sees: the node's own, of which a `lag` fault hides the newest
 * transactions.
 */
export function chooseView(fullNode: FullNode, faults: FaultBoard, method: string): LedgerView {
  const lag = faults.take('lag', method);
  if (lag === null) return fullNode;
  if (lag.checkpoints !== undefined) {
    const last = fullNode.latestCheckpoint.sequenceNumber - lag.checkpoints;
    return new LaggingView(fullNode, ({ checkpoint }) => checkpoint === null || checkpoint > last);
  }
  const horizon = Date.now() - (lag.ms ?? 0);
  return new LaggingView(fullNode, ({ timestampMs }) => timestampMs > horizon);
}
