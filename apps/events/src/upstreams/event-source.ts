import type { EventId, EventPage, GetEventsRequest, StoredEventRecord } from '@forecourt/contracts';
import type { NodeWork } from './node-work.js';

/** One node that events come from, whatever its dialect. Every call throws `UpstreamFailed` when the node does not serve it. */
export interface EventSource {
  /** Dialect and host, for logs and probes: `legacy 127.0.0.1:9000`. */
  readonly name: string;

  /** On behalf of a client: `work` bounds what it may cost. */
  getEvents(request: GetEventsRequest, work: NodeWork): Promise<EventPage>;

  /** The newest event; null on a ledger without any. */
  newest(): Promise<StoredEventRecord | null>;

  /**
   * Every event from `from` on, in the ledger's order, each once: first what there is, then live as it happens. The
   * first batch may be empty; it tells that the connection stands. Ends when `signal` aborts, or by throwing.
   */
  follow(from: EventId, signal: AbortSignal): AsyncIterable<readonly StoredEventRecord[]>;

  /** Number of the node's newest checkpoint; null when it has none. */
  latestCheckpoint(): Promise<number | null>;

  /** What tells this ledger from every other; null when the node cannot say. */
  ledgerIdentity(): Promise<string | null>;
}

/** A node did not answer, or not with what was asked for. */
export class UpstreamFailed extends Error {
  override readonly name = 'UpstreamFailed';
}
