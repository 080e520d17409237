import { JsonRpcCode, JsonRpcError } from '@forecourt/contracts';
import type { EventSource, LedgerIdentity } from './event-source.js';

/** Injection token of `PastEvents`. */
export const PAST_EVENTS = Symbol('PAST_EVENTS');

/** Where one query is answered. */
export type PastEventsSource = Pick<EventSource, 'getEvents'>;

/** Where past events come from: the index, or the nodes. */
export interface PastEvents {
  /**
   * Runs `query` where it can be answered. Throws `QueryUnanswerable` if there is no such place, another -32000 if nothing answers, and
   * any other error of `query`.
   */
  query<T>(query: (source: PastEventsSource) => Promise<T>): Promise<T>;

  /** Throws `OtherLedgerIndexed` while live events come from another ledger than past ones. */
  requireSameLedger(): Promise<void>;
}

/** -32000: the index holds another ledger than the node serves, from which live events come. */
export class OtherLedgerIndexed extends JsonRpcError {
  constructor(held: LedgerIdentity, served: LedgerIdentity) {
    super(
      JsonRpcCode.callFailed,
      `The index of events holds another ledger (${nameOf(held)}) than the ledger node serves (${nameOf(served)}); no events are available until the node serves that ledger again`,
    );
  }
}

function nameOf({ chainIdentifier, genesisTransaction }: LedgerIdentity): string {
  return chainIdentifier ?? `first transaction ${genesisTransaction}`;
}
