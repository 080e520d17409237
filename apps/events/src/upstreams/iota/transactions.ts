import type { StoredEventRecord } from '@forecourt/contracts';
import { LRUCache } from 'lru-cache';
import type { CallNode } from '../call-node.js';
import { estimateRecordBytes } from '../estimate-record-bytes.js';
import { UpstreamFailed } from '../event-source.js';
import type { Checkpoints } from './checkpoints.js';
import { deriveRecords } from './derive-records.js';
import type { NodeCheckpoint, NodeTransaction } from './node-json.js';

/** The parts of a transaction to request from a node. */
export const SHOWN = { showInput: true, showEvents: true, showObjectChanges: true };

const PAGE = 50;

/** One transaction's events, in ledger order. */
export type TransactionRecords = readonly StoredEventRecord[];

export type TransactionCache = LRUCache<string, TransactionRecords>;

/** Shared by all sessions: a transaction in a checkpoint never changes. */
export function createTransactionCache(): TransactionCache {
  return new LRUCache({
    max: 5_000,
    maxSize: 32 * 2 ** 20,
    // At least 1, which the cache requires also of a transaction without events.
    sizeCalculation: (records) =>
      records.reduce((sum, record) => sum + estimateRecordBytes(record), 1),
  });
}

/** The events of a node's transactions, read in one session. */
export class Transactions {
  constructor(
    private readonly call: CallNode,
    private readonly checkpoints: Checkpoints,
    private readonly cache: TransactionCache,
  ) {}

  /** The events of the transactions in `checkpoints`, or only of the last in each. */
  async inCheckpoints(
    checkpoints: readonly NodeCheckpoint[],
    onlyLast = false,
  ): Promise<TransactionRecords[]> {
    const checkpointOf = new Map<string, NodeCheckpoint>();
    for (const checkpoint of checkpoints) {
      const { transactions } = checkpoint;
      const wanted = onlyLast ? transactions.slice(-1) : transactions;
      for (const digest of wanted) checkpointOf.set(digest, checkpoint);
    }
    return this.findMissing([...checkpointOf.keys()], async (missing) => {
      const found = await this.fetch(missing);
      return found.map((one) => this.convert(one, checkpointOf.get(one.digest)!));
    });
  }

  /** The events of these transactions, in this order. */
  byDigests(digests: readonly string[]): Promise<TransactionRecords[]> {
    return this.findMissing(digests, async (missing) =>
      this.withCheckpoints(await this.fetch(missing)),
    );
  }

  /** The events of transactions returned by a node; those without a checkpoint are not sealed yet and left out. */
  async withCheckpoints(transactions: readonly NodeTransaction[]): Promise<TransactionRecords[]> {
    const sealed = transactions.filter(({ checkpoint }) => checkpoint !== undefined);
    return Promise.all(
      sealed.map(async (transaction) => {
        const checkpoint = await this.checkpoints.get(Number(transaction.checkpoint));
        return this.convert(transaction, checkpoint);
      }),
    );
  }

  /** The cached records, and those that `find` returns for the other digests, in the order of `digests`. */
  private async findMissing(
    digests: readonly string[],
    find: (missing: readonly string[]) => Promise<TransactionRecords[]>,
  ): Promise<TransactionRecords[]> {
    const cached = digests.map((digest) => this.cache.get(digest));
    const found = await find(digests.filter((_digest, index) => cached[index] === undefined));
    let next = 0;
    return cached.map((records) => records ?? found[next++]!);
  }

  private convert(transaction: NodeTransaction, checkpoint: NodeCheckpoint): TransactionRecords {
    const records = deriveRecords(transaction, checkpoint);
    this.cache.set(transaction.digest, records);
    return records;
  }

  private async fetch(digests: readonly string[]): Promise<NodeTransaction[]> {
    const pages: Promise<(NodeTransaction | null)[]>[] = [];
    for (let at = 0; at < digests.length; at += PAGE) {
      const some = digests.slice(at, at + PAGE);
      pages.push(this.call('iota_multiGetTransactionBlocks', [some, SHOWN]));
    }
    return (await Promise.all(pages)).flat().map((transaction) => {
      if (transaction?.transaction) return transaction;
      throw new UpstreamFailed('ledger node does not return a transaction of its own checkpoint');
    });
  }
}
