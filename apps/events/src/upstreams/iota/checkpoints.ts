import { LRUCache } from 'lru-cache';
import type { CallNode } from '../call-node.js';
import { firstTxSeq } from './derive-records.js';
import type { NodeCheckpoint, NodePage } from './node-json.js';

/** Memory of a checkpoint, and of each digest in it. */
const BYTES = 1_000;
const BYTES_PER_DIGEST = 100;
const SMALLEST_PAGE = 5;
const LARGEST_PAGE = 100;

export type CheckpointCache = LRUCache<number, NodeCheckpoint>;

/** Shared by all sessions: a sealed checkpoint never changes. */
export function createCheckpointCache(): CheckpointCache {
  return new LRUCache({
    max: 2_000,
    maxSize: 16 * 2 ** 20,
    sizeCalculation: ({ transactions }) => BYTES + BYTES_PER_DIGEST * transactions.length,
  });
}

/** A node's checkpoints, read in one session. */
export class Checkpoints {
  constructor(
    private readonly call: CallNode,
    private readonly cache: CheckpointCache,
  ) {}

  /** Sequence number of the newest. */
  async latest(): Promise<number> {
    return Number(await this.call<string>('iota_getLatestCheckpointSequenceNumber', []));
  }

  async get(sequenceNumber: number): Promise<NodeCheckpoint> {
    const cached = this.cache.get(sequenceNumber);
    if (cached) return cached;
    const found = await this.call<NodeCheckpoint>('iota_getCheckpoint', [String(sequenceNumber)]);
    this.cache.set(sequenceNumber, found);
    return found;
  }

  /** All checkpoints from `start` on, in either direction, page by page. */
  async *from(start: number, descending: boolean): AsyncGenerator<readonly NodeCheckpoint[]> {
    // Small at first: a query for one event must not wait for a hundred checkpoints.
    let pageSize = SMALLEST_PAGE;
    // The node's cursor is exclusive.
    const before = descending ? start + 1 : start - 1;
    let cursor: string | null = before < 0 ? null : String(before);
    for (let more = true; more;) {
      const page: NodePage<NodeCheckpoint, string> = await this.call('iota_getCheckpoints', [
        cursor,
        pageSize,
        descending,
      ]);
      pageSize = Math.min(2 * pageSize, LARGEST_PAGE);
      for (const found of page.data) this.cache.set(Number(found.sequenceNumber), found);
      if (page.data.length > 0) yield page.data;
      more = page.hasNextPage;
      cursor = page.nextCursor;
    }
  }

  /** Sequence number of the checkpoint that contains the transaction; null when it is not sealed yet. */
  async containing(txSeq: number): Promise<number | null> {
    return this.first((checkpoint) => Number(checkpoint.networkTotalTransactions) > txSeq);
  }

  /** Sequence number of the first checkpoint at or after `timestampMs`; null when there is none. */
  async firstAt(timestampMs: number): Promise<number | null> {
    return this.first((checkpoint) => Number(checkpoint.timestampMs) >= timestampMs);
  }

  /** Base58 digest of the transaction at this position; null before the first and after the last. */
  async digestAt(txSeq: number): Promise<string | null> {
    if (txSeq < 0) return null;
    const number = await this.containing(txSeq);
    if (number === null) return null;
    const checkpoint = await this.get(number);
    return checkpoint.transactions[txSeq - firstTxSeq(checkpoint)] ?? null;
  }

  /** Binary search for the first checkpoint that satisfies `has`, as all later ones do. */
  private async first(has: (checkpoint: NodeCheckpoint) => boolean): Promise<number | null> {
    let high = await this.latest();
    if (!has(await this.get(high))) return null;
    let low = 0;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (has(await this.get(middle))) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
