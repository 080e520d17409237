import type { EventSource } from './event-source.js';

/** Injection token of `PastEvents`. */
export const PAST_EVENTS = Symbol('PAST_EVENTS');

/** Where one query is answered. */
export type PastEventsSource = Pick<EventSource, 'getEvents'>;

/** Where past events come from: the index, or the nodes. */
export interface PastEvents {
  /**
   * Runs `query` where it can be answered. Throws `QueryUnanswerable` if there is no such place, another
   * -32000 if nothing answers, and any other error of `query`.
   */
  query<T>(query: (source: PastEventsSource) => Promise<T>): Promise<T>;

  /** Throws `OtherLedgerIndexed` while live events come from another ledger than past ones. */
  requireSameLedger(): Promise<void>;
}
