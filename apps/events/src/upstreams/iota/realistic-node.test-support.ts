import { base58 } from '@scure/base';
import {
  type ReceivedCall,
  type Response,
  StandInServer,
} from '../stand-in-server.test-support.js';
import { eventOf } from './garage-event.test-support.js';

const SENDERS = [1, 2].map((number) => `0x${`${number}`.repeat(64)}`);
const TIME = 1_790_000_000_000;
const CODES = { '2025': -32_602, '2026': -32_003, indexer: -32_603 };

interface Transaction {
  readonly digest: string;
  readonly checkpoint: number;
  readonly sender: string;
}

type Call = (params: readonly unknown[]) => unknown;

class Refusal extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

export interface LedgerShape {
  /** Transactions of each checkpoint. */
  readonly perCheckpoint?: number;
  readonly checkpoints: number;
  readonly checkpointsPerEpoch?: number;
  /** Whether a checkpoint has no transactions. */
  readonly isEmpty?: (checkpoint: number) => boolean;
}

/**
 * A ledger and a node of it that answers like real ones: it omits pruned checkpoints, refuses a page because
 * of one transaction, keeps its index in a different order, and skips an entry after a cursor that the index
 * does not contain.
 */
export class RealisticNode {
  readonly transactions: Transaction[] = [];
  readonly #byDigest = new Map<string, Transaction>();
  /** Of the index, as positions in the ledger's order. */
  indexOrder: number[];
  /** Checkpoints below it are gone. */
  lowest = 0;
  /** Whether `iota_getCheckpoints` begins with the lowest checkpoint, or returns an empty first page. */
  startsAtLowest = false;
  version: keyof typeof CODES = '2025';
  /** Checkpoints that the node skips. */
  readonly skipped = new Set<number>();
  /** Digests that make the node refuse a whole page. */
  readonly inconvertible = new Set<string>();
  /** Digests without `objectChanges`, and whether `errors` gives the reason. */
  readonly withoutChanges = new Map<string, boolean>();
  /** Digests in the index of transactions that the node does not know. */
  readonly unknown = new Set<string>();
  /** Digests whose object was deleted, and has vanished from the object changes. */
  readonly vanished = new Set<string>();
  /** Part of the digests of checkpoints. */
  network = 'ours';
  /** Filters of transactions that the node has no index for. */
  readonly unsupported = new Set<string>();
  /** Transactions beyond these checkpoints are executed and not sealed yet. */
  checkpointCount: number;
  /** Positions of the checkpoints' first transactions, and of the one after the last checkpoint. */
  readonly #starts: number[] = [0];
  readonly #perEpoch: number;
  readonly #methods: Readonly<Record<string, Call>>;

  constructor(shape: LedgerShape) {
    const { checkpoints, perCheckpoint = 1, checkpointsPerEpoch = 1_000_000, isEmpty } = shape;
    this.checkpointCount = checkpoints;
    this.#perEpoch = checkpointsPerEpoch;
    for (let checkpoint = 0; checkpoint < checkpoints; checkpoint++) {
      const count = isEmpty?.(checkpoint) ? 0 : perCheckpoint;
      for (let added = 0; added < count; added++) {
        const txSeq = this.transactions.length;
        const sender = SENDERS[txSeq % SENDERS.length]!;
        this.transactions.push({ digest: digestOf(txSeq), checkpoint, sender });
      }
      this.#starts.push(this.transactions.length);
    }
    for (const one of this.transactions) this.#byDigest.set(one.digest, one);
    this.indexOrder = [...this.transactions.keys()];
    this.#methods = {
      iota_getChainIdentifier: () => '35834a8a',
      iota_getLatestCheckpointSequenceNumber: () => String(this.checkpointCount - 1),
      iota_getCheckpoint: ([id]) => this.getCheckpoint(Number(id)),
      iota_getCheckpoints: (params) => this.getCheckpoints(params),
      iota_getTransactionBlock: ([digest, options]) => this.getTransaction(digest, options),
      iota_multiGetTransactionBlocks: (params) => this.getTransactions(params),
      iotax_queryTransactionBlocks: (params) => this.queryTransactions(params),
      iotax_queryEvents: (params) => this.queryEvents(params),
    };
  }

  readonly respond = ({ method, params }: ReceivedCall): Response => {
    const run = this.#methods[method];
    if (!run) return { error: { code: -32_601, message: 'Method not found' } };
    try {
      return { result: run(params) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { error: { code: error.code, message: error.message } };
    }
  };

  start(): Promise<StandInServer> {
    return StandInServer.start(this.respond);
  }

  private getCheckpoint(number: number): object {
    const found = this.show(number);
    if (found) return found;
    throw new Refusal(-32_600, `Verified checkpoint not found for sequence number: ${number}`);
  }

  private show(number: number): object | null {
    if (number < this.lowest || number >= this.checkpointCount || this.skipped.has(number)) {
      return null;
    }
    const [first, end] = this.#starts.slice(number, number + 2) as [number, number];
    const transactions = this.transactions.slice(first, end);
    const isLast = (number + 1) % this.#perEpoch === 0;
    return {
      sequenceNumber: `${number}`,
      digest: `${this.network}${number}`,
      previousDigest: number === 0 ? null : `${this.network}${number - 1}`,
      epoch: `${Math.floor(number / this.#perEpoch)}`,
      timestampMs: `${TIME + 1_000 * number}`,
      networkTotalTransactions: `${end}`,
      transactions: transactions.map(({ digest }) => digest),
      ...(isLast && { endOfEpochData: {} }),
    };
  }

  /** A node counts from the cursor on, and omits checkpoints that it lacks. */
  private getCheckpoints([cursor, limit, descending]: readonly unknown[]): object {
    const step = descending ? -1 : 1;
    const end = descending ? this.checkpointCount - 1 : this.startsAtLowest ? this.lowest : 0;
    const first = cursor === null ? end : Number(cursor) + step;
    const numbers = Array.from({ length: Number(limit) + 1 }, (_, index) => first + step * index);
    const found = numbers.map((number) => this.show(number)).filter((one) => one !== null);
    return {
      data: found.slice(0, Number(limit)),
      hasNextPage: found.length > Number(limit),
      nextCursor: null,
    };
  }

  private find(digest: unknown): Transaction | undefined {
    const found = this.#byDigest.get(String(digest));
    if (found === undefined || this.unknown.has(found.digest)) return undefined;
    return found.checkpoint >= this.lowest ? found : undefined;
  }

  private getTransaction(digest: unknown, options: unknown): object {
    if (this.find(digest)) return (this.getTransactions([[digest], options]) as [object])[0];
    throw new Refusal(
      CODES[this.version],
      `Could not find the referenced transaction [TransactionDigest(${String(digest)})].`,
    );
  }

  private getTransactions([digests, options]: readonly unknown[]): readonly object[] {
    return (digests as string[]).map((digest) => {
      const found = this.find(digest);
      const { showInput, showObjectChanges } = options as Record<string, boolean>;
      const isSealed = found !== undefined && found.checkpoint < this.checkpointCount;
      if (!showObjectChanges) {
        const checkpoint = isSealed ? { checkpoint: `${found.checkpoint}` } : {};
        return { digest, ...checkpoint, ...(showInput && found && { transaction: {} }) };
      }
      if (!found) {
        const message = 'unable to derive object changes because effect is empty';
        throw new Refusal(CODES[this.version], message);
      }
      if (this.inconvertible.has(digest)) {
        throw new Refusal(-32_603, 'Failed to resolve a type layout: module not found in package');
      }
      return this.describe(found);
    });
  }

  private describe({ digest, checkpoint, sender }: Transaction): object {
    const objectId = `0x${'7'.repeat(64)}`;
    const change = { type: 'deleted', objectId, sender };
    const hasErrors = this.withoutChanges.get(digest);
    return {
      digest,
      checkpoint: `${checkpoint}`,
      transaction: { data: { sender, gasData: { owner: sender, payment: [] }, transaction: {} } },
      effects: { deleted: [{ objectId, version: 3, digest }] },
      events: [eventOf(digest, sender)],
      ...(hasErrors === undefined && { objectChanges: this.vanished.has(digest) ? [] : [change] }),
      ...(hasErrors && { errors: ['Failed to fetch object changes: object not found'] }),
    };
  }

  private queryTransactions([query, cursor, limit, descending]: readonly unknown[]): object {
    const { filter } = query as { filter: { FromAddress?: string } | null };
    const name = Object.keys(filter ?? {})[0] ?? '';
    const text = `Error checking transaction input objects: Unsupported("Some(${name}(0x7))")`;
    if (this.unsupported.has(name)) throw new Refusal(CODES[this.version], text);
    const sender = filter?.FromAddress;
    const page = this.readIndex(sender, cursor as string | null, Number(limit), !!descending);
    const data = page.digests.map((digest) => ({ digest }));
    return { data, nextCursor: data.at(-1)?.digest ?? cursor, hasNextPage: page.hasMore };
  }

  private queryEvents([filter, cursor, limit, descending]: readonly unknown[]): object {
    if ('All' in (filter as object) === false) throw new Refusal(-32_602, 'unexpected filter');
    const after = (cursor as { txDigest: string } | null)?.txDigest ?? null;
    const page = this.readIndex(undefined, after, Number(limit), !!descending);
    const data = page.digests.map((digest) => eventOf(digest, ''));
    return { data, nextCursor: data.at(-1)?.id ?? cursor, hasNextPage: page.hasMore };
  }

  private readIndex(
    sender: string | undefined,
    cursor: string | null,
    limit: number,
    descending: boolean,
  ): { digests: string[]; hasMore: boolean } {
    const order = this.indexOrder.map((txSeq) => this.transactions[txSeq]!);
    if (descending) order.reverse();
    const from = cursor === null ? 0 : order.findIndex(({ digest }) => digest === cursor);
    if (from === -1) throw new Refusal(CODES[this.version], `Could not find ${cursor}`);
    const entries = order
      .slice(from)
      .filter((one) => sender === undefined || one.sender === sender);
    // Intended to skip the cursor itself, but also applied if that is not among the entries.
    const found = cursor === null ? entries : entries.slice(1);
    const digests = found.slice(0, limit).map(({ digest }) => digest);
    return { digests, hasMore: found.length > limit };
  }
}

export const SENDER = SENDERS[0]!;

export function digestOf(txSeq: number): string {
  const bytes = new Uint8Array(32).fill(9);
  new DataView(bytes.buffer).setUint32(28, txSeq);
  return base58.encode(bytes);
}
