import { LRUCache } from 'lru-cache';
import type { EventCriterion, EventId } from '@forecourt/contracts';
import type { NodeCheckpoint, NodeClient } from '@forecourt/ledger';
import { checkpointMissing } from '../checkpoint-missing.js';
import { HistoryPruned } from '../history-pruned.js';
import type { UnsupportedByUpstream } from '../unsupported-by-upstream.js';
import { isNotFound } from '../node-refused.js';
import { requireLink } from '../checkpoint-chain.js';
import { type EndRecord, firstTxSeq, linkOf } from './derive-records.js';

/** Memory of a checkpoint, and of each digest in it. */
const BYTES = 1_000;
const BYTES_PER_DIGEST = 100;
const SMALLEST_PAGE = 5;
const LARGEST_PAGE = 100;
/** How long a lowest checkpoint counts as current: a pruning node raises it continuously. */
const LOWEST_FRESH_MS = 60_000;

/** The known checkpoints of a node, shared by all sessions. */
export interface KnownCheckpoints {
  /** A sealed checkpoint never changes. */
  readonly sealed: LRUCache<number, NodeCheckpoint>;
  /** The first checkpoint of an epoch. */
  readonly epochStarts: LRUCache<number, number>;
  /** The last events of checkpoints by the ledger's total: those of empty checkpoints after them follow. */
  readonly ends: LRUCache<number, EndRecord>;
  lowest: { readonly number: number; readonly time: number } | null;
}

export function createKnownCheckpoints(): KnownCheckpoints {
  return {
    sealed: new LRUCache({
      max: 2_000,
      maxSize: 16 * 2 ** 20,
      sizeCalculation: ({ transactions }) => BYTES + BYTES_PER_DIGEST * transactions.length,
    }),
    epochStarts: new LRUCache({ max: 10_000 }),
    ends: new LRUCache({ max: 2_000 }),
    lowest: null,
  };
}

/** Checkpoints `first` to `last`, both included; descending, `first` is the greater one. */
export interface CheckpointRange {
  readonly first: number;
  readonly last: number;
  readonly descending: boolean;
}

/** A node's checkpoints, read in one session. */
export class Checkpoints {
  constructor(
    private readonly client: NodeClient,
    readonly known: KnownCheckpoints,
  ) {}

  /** Sequence number of the newest. */
  latest(): Promise<number> {
    return this.client.getLatestCheckpoint();
  }

  /**
   * Sequence number of the oldest checkpoint that the node still has; `fresh`: the current one, not one from
   * a minute ago.
   */
  async lowest({ fresh = false } = {}): Promise<number> {
    const { lowest } = this.known;
    if (!fresh && lowest && performance.now() - lowest.time < LOWEST_FRESH_MS) return lowest.number;
    const number = await this.findLowest();
    this.known.lowest = { number, time: performance.now() };
    return number;
  }

  /** Throws `HistoryPruned` or `UnsupportedByUpstream` if the node does not have it. */
  async get(number: number): Promise<NodeCheckpoint> {
    const checkpoint = this.known.sealed.get(number) ?? (await this.find(number));
    if (checkpoint === null) throw await this.whyAbsent(number, 'it does not know it');
    this.known.sealed.set(number, checkpoint);
    return checkpoint;
  }

  /**
   * The checkpoints of a range, page by page and without gaps. Throws `HistoryPruned` or
   * `UnsupportedByUpstream` at the first that the node does not have, and `ChainBroken` if they are not of
   * one ledger.
   */
  async *range({
    first,
    last,
    descending,
  }: CheckpointRange): AsyncGenerator<readonly NodeCheckpoint[]> {
    const step = descending ? -1 : 1;
    // Small at first: a query for one event must not wait for a hundred checkpoints.
    let pageSize = SMALLEST_PAGE;
    let before: NodeCheckpoint | null = null;
    for (let next = first; (last - next) * step >= 0;) {
      const left = (last - next) * step + 1;
      let page: readonly NodeCheckpoint[] = this.knownFrom(
        next,
        step,
        Math.min(left, LARGEST_PAGE),
      );
      if (page.length === 0) {
        page = await this.readFrom(next, step, Math.min(left, pageSize));
        pageSize = Math.min(2 * pageSize, LARGEST_PAGE);
      }
      for (const checkpoint of page) {
        if (before) checkNeighbours(before, checkpoint, step);
        before = checkpoint;
        this.known.sealed.set(Number(checkpoint.sequenceNumber), checkpoint);
      }
      yield page;
      next += step * page.length;
    }
  }

  /**
   * Sequence number of the checkpoint that contains the transaction; null if it is not sealed yet. Throws
   * `HistoryPruned` if it is older than the node's history.
   */
  async containing(txSeq: number): Promise<number | null> {
    const number = await this.search(
      (checkpoint) => Number(checkpoint.networkTotalTransactions) > txSeq,
    );
    if (number !== null && number > 0 && number === (await this.lowest())) {
      if (txSeq < firstTxSeq(await this.get(number))) throw await this.pruned(number);
    }
    return number;
  }

  /**
   * The last checkpoint up to `empty` that has transactions: most often it is near. Throws `HistoryPruned`.
   */
  async lastFilled(empty: NodeCheckpoint): Promise<NodeCheckpoint> {
    const total = empty.networkTotalTransactions;
    let high = Number(empty.sequenceNumber);
    let low = high;
    const lowest = await this.lowest();
    for (let step = 1; low > lowest; step *= 2) {
      low = Math.max(lowest, low - step);
      if ((await this.get(low)).networkTotalTransactions !== total) break;
      high = low;
    }
    // The first one with this total.
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((await this.get(middle)).networkTotalTransactions === total) high = middle;
      else low = middle + 1;
    }
    const found = await this.get(high);
    if (found.transactions.length === 0) throw await this.pruned(lowest);
    return found;
  }

  /**
   * Sequence number of the first checkpoint that the node has at or after `timestampMs`; null if there is
   * none.
   */
  async firstAt(timestampMs: number): Promise<number | null> {
    return this.search((checkpoint) => Number(checkpoint.timestampMs) >= timestampMs);
  }

  /**
   * Sequence number of the first checkpoint of the epoch, or of a later one, that the node has; null if there
   * is none.
   */
  async epochStart(epoch: number): Promise<number | null> {
    const known = this.known.epochStarts.get(epoch);
    if (known !== undefined) return known;
    const number = await this.search((checkpoint) => Number(checkpoint.epoch) >= epoch);
    if (number !== null) this.known.epochStarts.set(epoch, number);
    return number;
  }

  async epochOf(number: number): Promise<number> {
    return Number((await this.get(number)).epoch);
  }

  /** The error that names the earliest position that the node can serve. */
  async pruned(lowest: number): Promise<HistoryPruned> {
    return new HistoryPruned({ checkpoint: lowest, txSeq: firstTxSeq(await this.get(lowest)) });
  }

  /** The reason why the node lacks a checkpoint or its transactions: pruning, if they are pruned. */
  async whyAbsent(number: number, reason: string): Promise<UnsupportedByUpstream> {
    let lowest = await this.lowest();
    if (number >= lowest) lowest = await this.lowest({ fresh: true });
    return number < lowest ? this.pruned(lowest) : checkpointMissing(number, reason, lowest);
  }

  /** Null if the node does not have it. */
  private async find(number: number): Promise<NodeCheckpoint | null> {
    try {
      return await this.client.getCheckpoint(number);
    } catch (error) {
      if (isNotFound(error)) return null;
      throw error;
    }
  }

  /**
   * Some nodes begin with their lowest checkpoint; others skip missing ones, and return an empty first page.
   */
  private async findLowest(): Promise<number> {
    const [first] = await this.client.getCheckpoints(null, 1, false);
    if (first) return Number(first.sequenceNumber);
    let low = 0;
    let high = await this.latest();
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (await this.find(middle)) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  private knownFrom(first: number, step: number, count: number): NodeCheckpoint[] {
    const checkpoints: NodeCheckpoint[] = [];
    for (let number = first; checkpoints.length < count; number += step) {
      const checkpoint = this.known.sealed.get(number);
      if (checkpoint === undefined) break;
      checkpoints.push(checkpoint);
    }
    return checkpoints;
  }

  /** At least one checkpoint, from `first` on and without gaps. */
  private async readFrom(
    first: number,
    step: number,
    count: number,
  ): Promise<readonly NodeCheckpoint[]> {
    // The node's cursor is exclusive.
    const cursor = first === 0 && step > 0 ? null : first - step;
    const page = await this.client.getCheckpoints(cursor, count, step < 0);
    const end = page.findIndex(
      ({ sequenceNumber }, index) => Number(sequenceNumber) !== first + step * index,
    );
    if (page.length === 0) throw await this.whyAbsent(first, 'it returns an empty page');
    if (end === 0) {
      throw await this.whyAbsent(first, `it continues with ${page[0]!.sequenceNumber}`);
    }
    return end === -1 ? page : page.slice(0, end);
  }

  /** Binary search for the first checkpoint of the node that satisfies `has`, as all later ones do. */
  private async search(has: (checkpoint: NodeCheckpoint) => boolean): Promise<number | null> {
    let high = await this.latest();
    if (!has(await this.get(high))) return null;
    let low = await this.lowest();
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (has(await this.get(middle))) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

/**
 * Throws `ChainBroken` unless the newer checkpoint names the older one, and `UnsupportedByUpstream` unless
 * its total is the older one's and its own transactions: some nodes return the contents of one checkpoint
 * under the number of another.
 */
export function checkNeighbours(before: NodeCheckpoint, next: NodeCheckpoint, step: number): void {
  const [older, newer] = step > 0 ? [before, next] : [next, before];
  requireLink(linkOf(older), linkOf(newer));
  if (firstTxSeq(newer) === Number(older.networkTotalTransactions)) return;
  throw checkpointMissing(
    Number(newer.sequenceNumber),
    'its transactions do not continue the total of the previous checkpoint',
  );
}

export interface Search {
  readonly criterion: EventCriterion;
  /** The start; null: the end of the ledger where the direction starts. */
  readonly cursor: EventId | null;
  readonly descending: boolean;
}

export interface SearchedRange extends CheckpointRange {
  /** Position of the first transaction in the direction of the search; null: that of the range. */
  readonly startTxSeq: number | null;
  /** The search continues below the lowest checkpoint that the node has. */
  readonly isCut: boolean;
}

/**
 * The checkpoints to search that the node has; null if there are none. `begin`: the one with the cursor.
 * Throws `HistoryPruned` if the search begins with checkpoints that it no longer has.
 */
export async function findRange(
  checkpoints: Checkpoints,
  { criterion, cursor, descending }: Search,
  begin: number | null,
): Promise<SearchedRange | null> {
  const startTxSeq = cursor?.txSeq ?? null;
  const latest = await checkpoints.latest();
  const lowest = await checkpoints.lowest();
  const { from, to, isCut } =
    criterion.key === 'TimeRange'
      ? await findTimeRange(checkpoints, criterion.value, { lowest, latest })
      : { from: lowest, to: latest, isCut: lowest > 0 };
  if (descending) {
    if (isCut && to < lowest) throw await checkpoints.pruned(lowest);
    const first = Math.min(to, begin ?? to);
    return first < from ? null : { first, last: from, descending, startTxSeq, isCut };
  }
  if (isCut && cursor === null) throw await checkpoints.pruned(lowest);
  if (cursor !== null && begin === null) return null;
  const first = Math.max(from, begin ?? from);
  return to < first ? null : { first, last: to, descending, startTxSeq, isCut: false };
}

async function findTimeRange(
  checkpoints: Checkpoints,
  { startTime, endTime }: { readonly startTime: number; readonly endTime: number },
  { lowest, latest }: { readonly lowest: number; readonly latest: number },
): Promise<{ readonly from: number; readonly to: number; readonly isCut: boolean }> {
  const oldestTime = Number((await checkpoints.get(lowest)).timestampMs);
  const after = await checkpoints.firstAt(endTime + 1);
  return {
    from: (await checkpoints.firstAt(startTime)) ?? latest + 1,
    to: after === null ? latest : after - 1,
    // An earlier checkpoint may have the same time.
    isCut: lowest > 0 && startTime <= oldestTime,
  };
}
