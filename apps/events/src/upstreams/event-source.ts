import type { EventId, EventPage, GetEventsRequest, StoredEventRecord } from '@forecourt/contracts';
import type { CheckpointChain, LinkedCheckpoint } from './checkpoint-chain.js';
import type { NodeSession } from './node-calls.js';

/** Values that distinguish ledgers; null if the node cannot report them. */
export interface LedgerIdentity {
  /** As `iota_getChainIdentifier` returns it. */
  readonly chainIdentifier: string | null;
  /** Digest of the ledger's first transaction, in base64. */
  readonly genesisTransaction: string | null;
}

/** A page, or the first part of it. */
export interface SourcePage extends EventPage {
  /** The source has read a part, so that other clients get their turns: the rest begins at `nextCursor`. */
  readonly goesOn?: boolean;
}

/** One ledger node that events come from, in any dialect. Every method throws `UpstreamFailed` if the node fails. */
export interface EventSource {
  /** Dialect and host, for logs and probes: `legacy 127.0.0.1:9000`. */
  readonly name: string;

  /**
   * Queries for a client, within the limits of `session`. Throws `JsonRpcError` if it exceeds them, `UpstreamLacks` if
   * the node does not have the beginning of the page.
   */
  getEvents(request: GetEventsRequest, session: NodeSession): Promise<SourcePage>;

  /** The newest event; null if the ledger has none. */
  newest(): Promise<StoredEventRecord | null>;

  /**
   * Every event from `from` on, in ledger order, each once: first past events, then live ones. A first batch, possibly
   * empty, signals that the node is connected. Ends if `signal` aborts or with an error, `UpstreamLacks` if the node
   * does not have the next events, `ChainBroken` if they are another ledger's. Adds every checkpoint to `chain`, where
   * the dialect shows digests: the next one continues it, whichever node or connection delivered the last.
   */
  follow(
    from: EventId,
    signal: AbortSignal,
    chain?: CheckpointChain,
  ): AsyncIterable<readonly StoredEventRecord[]>;

  /**
   * Checkpoints `first` to `last`, both included, page by page and each linked to the one before; descending, `first` is
   * the greater one. Nothing in a dialect that shows no digests. Throws `UpstreamLacks` at the first that the node does
   * not have, `ChainBroken` if they are not of one ledger.
   */
  checkpoints(first: number, last: number): AsyncIterable<readonly LinkedCheckpoint[]>;

  /** Number of the node's newest checkpoint; null if it has none. */
  latestCheckpoint(): Promise<number | null>;

  /** Number of the oldest checkpoint that the node can serve; null if it has none. */
  lowestCheckpoint(): Promise<number | null>;

  /** Position of a checkpoint's first transaction in the ledger's total order. Throws `UpstreamLacks` if the node does not have it. */
  firstTransactionOf(checkpoint: number): Promise<number>;

  /** Identifies the ledger. */
  ledgerIdentity(): Promise<LedgerIdentity>;
}

/** Everything but a Move event's fields. */
const BYTES = 700;
/** The fields as JSON and the base64 text, per base64 character: a byte in a JSON list takes four (`255,`). */
const BYTES_PER_BCS_CHARACTER = 4;

/** An upper estimate of the size of a record's JSON, without serializing it. */
export function estimateRecordBytes({ event }: StoredEventRecord): number {
  const bcs = 'moveEvent' in event ? event.moveEvent.bcs.length : 0;
  return BYTES + BYTES_PER_BCS_CHARACTER * bcs;
}
