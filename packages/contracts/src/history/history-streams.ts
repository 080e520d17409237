import type { ReservationState } from '../messages/find-reservation.js';
import type { EndedStatus, RebuildCause } from './sponsorship.js';
/**
 * The streams in Redis from which history learns. Each entry has text fields only.
 *
 * `fc:{<sponsor>}:history`: one entry for an ended sponsorship (`EndedSponsorship`), written by the script
 * that ends it. `fc:refusals`: requests that a gateway refused (`RefusedRequest`).
 */
export const REFUSALS_KEY = 'fc:refusals';
/** Hash in Redis: refused requests beyond what `REFUSALS_KEY` takes, by `<code>|<token>`. */
export const REFUSALS_DROPPED_KEY = 'fc:refusals-dropped';
/**
 * String in Redis, written by history: the most entries of the stream of refused requests, or `HISTORY_OFF`.
 * History writes the same into each sponsor's slot.
 */
export const HISTORY_BACKLOG_KEY = 'fc:refusals-backlog';
/** Nothing is recorded: an operator has turned history off. */
export const HISTORY_OFF = 'off';
/** An entry counts once in the bound for each of so many bytes. */
export const HISTORY_COUNTED_BYTES = 2_048;
/** The consumer group of history on every stream. */
export const HISTORY_GROUP = 'history';
/**
 * The version of both forms of entries: field `v`. A reader leaves entries of a later version for newer
 * replicas.
 */
export const HISTORY_ENTRY_VERSION = 1;

/**
 * The facts that a pool stores about a sponsorship, open or ended. An empty text is an absent value; texts
 * are escaped.
 */
export interface StoredSponsorship {
  /** Reservation id. */
  readonly id: string;
  readonly state: ReservationState;
  /** When it ended, by Redis's clock, in ms; empty: it is open. */
  readonly ended: string;
  readonly caller: string;
  readonly budget: string;
  /** Balance of the reserved coins. */
  readonly sum: string;
  /** As the pool stores them: `balance:place:objectId:version:digest`, comma-separated. */
  readonly coins: string;
  /** The transaction that the reservation was last bound to. */
  readonly digest: string;
  /** Its bytes in base64. */
  readonly transaction: string;
  /**
   * The access rule that allowed it; empty also for one that is bound no more, whose rule is in the trail.
   */
  readonly rule: string;
  readonly executor: string;
  /** Of an ended one that cost gas: `SettledResult` as JSON. */
  readonly result: string;
  /** The sponsor's cost that limits counted. */
  readonly counted: string;
  /**
   * Lines of fields separated by tabs, time in ms and event first: `claimed`, digest, request id,
   * traceparent, rule, facts of the decision; `begun`; `resumed`, by a second executor; `submitted`;
   * `refused`, digest, the ledger's message; `quarantined`, the ledger's message.
   */
  readonly trail: string;
}

/**
 * The fields of an entry of a sponsor's stream, and `n`: `<era>-<number>`, where the numbers of an era are
 * consecutive.
 */
export interface EndedSponsorship extends StoredSponsorship {
  readonly v: string;
  readonly state: EndedStatus;
}

/**
 * The fields of an entry of the stream of transactions that were found on the ledger,
 * `fc:{<sponsor>}:history-rebuilt`. The caller is empty where the reservation is lost.
 */
export interface RebuiltSponsorship extends EndedSponsorship {
  readonly sender: string;
  /** JSON of `Sponsorship.commands`. */
  readonly commands: string;
  readonly cause: RebuildCause;
}

/** The fields of such an entry about gas that no transaction on the ledger explains. */
export interface UnexplainedGas {
  readonly v: string;
  /** In the smallest unit. */
  readonly unexplained: string;
  /** In ms since 1970. */
  readonly at: string;
  readonly cause: RebuildCause;
}

/** Outcome and gas, which the executor adds at the end of an execution. */
export interface SettledResult {
  /**
   * Null: the transaction was not executed, and the gas is that of the sponsor's own transaction which moved
   * its coins; or no node has shown its effects.
   */
  readonly outcome: 'success' | 'failure' | null;
  /** The ledger's text for `failure`. */
  readonly failure?: string;
  readonly computation: string;
  readonly storage: string;
  readonly rebate: string;
}

/** The fields of an entry of `REFUSALS_KEY`. An empty text is an absent value. */
export interface RefusedRequest {
  readonly v: string;
  /** Milliseconds since 1970, by the gateway's clock. */
  readonly at: string;
  /** Method and path pattern, such as `POST /v1/execute_tx`. */
  readonly route: string;
  readonly token: string;
  readonly user: string;
  readonly sender: string;
  readonly sponsor: string;
  readonly status: string;
  readonly code: string;
  readonly message: string;
  readonly rule: string;
  readonly digest: string;
  /** Of an execute that names a reservation of the caller: history shows the refusal with its sponsorship. */
  readonly reservation: string;
  readonly request: string;
  /** Base64 bytes of a decoded transaction, for filters by package, module and function, and for replays. */
  readonly transaction: string;
  /** `writeDecisionFacts` of a request that the access rules decided about. */
  readonly facts: string;
}
