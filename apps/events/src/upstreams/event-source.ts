import type { EventId, EventPage, GetEventsRequest, StoredEventRecord } from '@forecourt/contracts';
import type { NodeSession } from './node-session.js';

/** One ledger node that events come from, whatever its dialect. Every method throws `UpstreamFailed` when the node fails. */
export interface EventSource {
  /** Dialect and host, for logs and probes: `legacy 127.0.0.1:9000`. */
  readonly name: string;

  /** On behalf of a client, within the limits of `session`. Throws `JsonRpcError` when it exceeds them. */
  getEvents(request: GetEventsRequest, session: NodeSession): Promise<EventPage>;

  /** The newest event; null when the ledger has none. */
  newest(): Promise<StoredEventRecord | null>;

  /**
   * Every event from `from` on, in ledger order, each once: first past events, then live ones. A first batch, possibly empty,
   * signals that the node is connected. Ends when `signal` aborts or with an error.
   */
  follow(from: EventId, signal: AbortSignal): AsyncIterable<readonly StoredEventRecord[]>;

  /** Number of the node's newest checkpoint; null when it has none. */
  latestCheckpoint(): Promise<number | null>;

  /** Identifies the ledger; null when the node cannot tell. */
  ledgerIdentity(): Promise<string | null>;
}

/** A ledger node did not respond, or not as expected. */
export class UpstreamFailed extends Error {
  override readonly name = 'UpstreamFailed';
}
