import type { SponsorDrain } from '../messages/list-sponsors.js';

/** Amounts are decimal texts in the smallest unit; times are milliseconds since 1970. */
export interface FleetCoins {
  readonly coins: number;
  readonly balance: string;
}

/** Gas that a sponsor has paid, less refunds. */
export interface FleetSpending {
  readonly spent: string;
  readonly since: number;
}

export interface FleetSponsor {
  readonly sponsor_address: string;
  /** Of all coins, in any state. */
  readonly balance: string;
  /** By state. */
  readonly coins: Readonly<Record<string, FleetCoins>>;
  /** Since about an hour and about a day ago, or since the first note; null before there is any. */
  readonly spending: { readonly hour: FleetSpending | null; readonly day: FleetSpending | null };
  /** At the rate of the day; null while nothing is spent, or too little time was observed. */
  readonly days_left: number | null;
  /** Replica of coin-pool; null while none leads. */
  readonly leader: string | null;
  /** How long the pool hands out no coins after a Redis restart; null: it does. */
  readonly suspended_secs: number | null;
  /** The reason, operator and time of its drain; null: it is not drained. */
  readonly drain: SponsorDrain | null;
  /** By state, also of reservations that no transaction has used yet. */
  readonly reservations: Readonly<Record<string, number>>;
}

/** One transaction in flight. */
export interface FleetTransaction {
  readonly sponsor_address: string;
  readonly state: 'claimed' | 'executing' | 'quarantined';
  readonly digest: string;
  readonly reservation_id: number;
  /** Name of the token. */
  readonly caller: string;
  readonly reserved_at: number;
  /** When an executor took it up first; null: none has. */
  readonly begun_at: number | null;
  /** Since it was begun, or reserved where it has not begun. */
  readonly age_secs: number;
  readonly executor: string | null;
  readonly coins: number;
  /** Of a quarantine. */
  readonly quarantine: FleetQuarantine | null;
}

export interface FleetQuarantine {
  /** In the ledger's words, shortened. */
  readonly reason: string;
  /** It can end once the ledger is in a later epoch. */
  readonly ends_after_epoch: number | null;
  /** The sponsor's own transaction that moves the coins on. */
  readonly moved_on_by: string | null;
}

export interface FleetQueue {
  readonly waiting: number;
  readonly active: number;
  readonly delayed: number;
  readonly failed: number;
}

export interface FleetReplica {
  readonly service: string;
  readonly id: string;
  /** Version and commit. */
  readonly version: string;
  readonly started_at: number;
  /** Time of its last announcement. */
  readonly seen_at: number;
}

/** Answer of `GET /v1/fleet`. */
export interface FleetResponse {
  readonly result: {
    readonly sponsors: readonly FleetSponsor[];
    /** Those that no executor has taken up for longest, of each state of each sponsor. */
    readonly transactions: readonly FleetTransaction[];
    /** Null: the ledger does not answer. */
    readonly epoch: number | null;
    /** Null: Redis does not answer. */
    readonly queue: FleetQueue | null;
    readonly replicas: readonly FleetReplica[];
    /** The reasons why parts of this answer are missing, in sentences; empty: none is. */
    readonly problems: readonly string[];
  };
}
