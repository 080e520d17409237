import type { CallNode } from '../call-node.js';
import { firstTxSeq } from './derive-records.js';
import type { NodeCheckpoint, NodePage } from './node-json.js';
import { RecentlyUsed } from './recently-used.js';

/** Of a checkpoint, and of each digest that it lists. */
const BYTES = 1_000;
const BYTES_PER_DIGEST = 100;
const SMALLEST_PAGE = 5;
const LARGEST_PAGE = 100;

export type KnownCheckpoints = RecentlyUsed<number, NodeCheckpoint>;

/** Keeps checkpoints, for whatever work asks for them: what is sealed never changes. */
export function keepCheckpoints(): KnownCheckpoints {
  return new RecentlyUsed({
    kept: 2_000,
    keptBytes: 16 * 2 ** 20,
    bytesOf: ({ transactions }) => BYTES + BYTES_PER_DIGEST * transactions.length,
  });
}

/** A node's checkpoints, as one piece of work sees them. */
export class Checkpoints {
  constructor(
    private readonly call: CallNode,
    private readonly known: KnownCheckpoints,
  ) {}

  /** Sequence number of the newest. */
  async latest(): Promise<number> {
    return Number(await this.call<string>('iota_getLatestCheckpointSequenceNumber', []));
  }

  async get(sequenceNumber: number): Promise<NodeCheckpoint> {
    const known = this.known.get(sequenceNumber);
    if (known) return known;
    const found = await this.call<NodeCheckpoint>('iota_getCheckpoint', [String(sequenceNumber)]);
    this.known.set(sequenceNumber, found);
    return found;
  }

  /** Those from `start` on, in either direction, page by page, up to the newest. */
  async *from(start: number, descending: boolean): AsyncGenerator<readonly NodeCheckpoint[]> {
    // Small at first: who wants one event does not wait for a hundred checkpoints.
    let pageSize = SMALLEST_PAGE;
    // The node's cursor names the one before the first.
    const before = descending ? start + 1 : start - 1;
    let cursor: string | null = before < 0 ? null : String(before);
    for (let more = true; more;) {
      const page: NodePage<NodeCheckpoint, string> = await this.call('iota_getCheckpoints', [
        cursor,
        pageSize,
        descending,
      ]);
      pageSize = Math.min(2 * pageSize, LARGEST_PAGE);
      for (const found of page.data) this.known.set(Number(found.sequenceNumber), found);
      if (page.data.length > 0) yield page.data;
      more = page.hasNextPage;
      cursor = page.nextCursor;
    }
  }

  /** Number of the one that holds the transaction; null when the ledger has not come so far. */
  async containing(txSeq: number): Promise<number | null> {
    return this.first((checkpoint) => Number(checkpoint.networkTotalTransactions) > txSeq);
  }

  /** Number of the first that is not before `timestampMs`; null when there is none. */
  async firstAt(timestampMs: number): Promise<number | null> {
    return this.first((checkpoint) => Number(checkpoint.timestampMs) >= timestampMs);
  }

  /** Base58 digest of the transaction at this place; null before the first and after the last. */
  async digestAt(txSeq: number): Promise<string | null> {
    if (txSeq < 0) return null;
    const number = await this.containing(txSeq);
    if (number === null) return null;
    const checkpoint = await this.get(number);
    return checkpoint.transactions[txSeq - firstTxSeq(checkpoint)] ?? null;
  }

  /** Binary search for the first that has what all later ones have too. */
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
