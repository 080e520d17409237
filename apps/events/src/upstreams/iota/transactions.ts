import type { StoredEventRecord } from '@forecourt/contracts';
import type { CallNode } from '../call-node.js';
import { estimateRecordBytes } from '../estimate-record-bytes.js';
import { UpstreamFailed } from '../event-source.js';
import type { Checkpoints } from './checkpoints.js';
import { deriveRecords } from './derive-records.js';
import type { NodeCheckpoint, NodeTransaction } from './node-json.js';
import { RecentlyUsed } from './recently-used.js';

/** What a node is asked to show of a transaction. */
export const SHOWN = { showInput: true, showEvents: true, showObjectChanges: true };

const AT_ONCE = 50;

/** One transaction's events, in the ledger's order. */
export type TransactionRecords = readonly StoredEventRecord[];

export type KnownTransactions = RecentlyUsed<string, TransactionRecords>;

/** Keeps transactions, for whatever work asks for them: what is in a checkpoint never changes. */
export function keepTransactions(): KnownTransactions {
  return new RecentlyUsed({
    kept: 5_000,
    keptBytes: 32 * 2 ** 20,
    bytesOf: (records) => records.reduce((sum, record) => sum + estimateRecordBytes(record), 0),
  });
}

/** The events of a node's transactions, as one piece of work sees them. */
export class Transactions {
  constructor(
    private readonly call: CallNode,
    private readonly checkpoints: Checkpoints,
    private readonly known: KnownTransactions,
  ) {}

  /** Of transactions whose checkpoints are at hand. */
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
    return this.complete([...checkpointOf.keys()], async (unknown) => {
      const found = await this.fetch(unknown);
      return found.map((one) => this.keep(one, checkpointOf.get(one.digest)!));
    });
  }

  /** Of these transactions, in this order. */
  byDigests(digests: readonly string[]): Promise<TransactionRecords[]> {
    return this.complete(digests, async (unknown) =>
      this.withCheckpoints(await this.fetch(unknown)),
    );
  }

  /** Of transactions that a node has shown; those without a checkpoint are not on the ledger yet. */
  async withCheckpoints(transactions: readonly NodeTransaction[]): Promise<TransactionRecords[]> {
    const sealed = transactions.filter(({ checkpoint }) => checkpoint !== undefined);
    return Promise.all(
      sealed.map(async (transaction) => {
        const checkpoint = await this.checkpoints.get(Number(transaction.checkpoint));
        return this.keep(transaction, checkpoint);
      }),
    );
  }

  /** What is known of `digests`, and what `find` finds of the others, in the order of `digests`. */
  private async complete(
    digests: readonly string[],
    find: (unknown: readonly string[]) => Promise<TransactionRecords[]>,
  ): Promise<TransactionRecords[]> {
    const known = digests.map((digest) => this.known.get(digest));
    const found = await find(digests.filter((_digest, index) => known[index] === undefined));
    let next = 0;
    return known.map((records) => records ?? found[next++]!);
  }

  private keep(transaction: NodeTransaction, checkpoint: NodeCheckpoint): TransactionRecords {
    const records = deriveRecords(transaction, checkpoint);
    this.known.set(transaction.digest, records);
    return records;
  }

  private async fetch(digests: readonly string[]): Promise<NodeTransaction[]> {
    const pages: Promise<(NodeTransaction | null)[]>[] = [];
    for (let at = 0; at < digests.length; at += AT_ONCE) {
      const some = digests.slice(at, at + AT_ONCE);
      pages.push(this.call('iota_multiGetTransactionBlocks', [some, SHOWN]));
    }
    return (await Promise.all(pages)).flat().map((transaction) => {
      if (transaction?.transaction) return transaction;
      throw new UpstreamFailed('the node does not show a transaction of its own checkpoint');
    });
  }
}
