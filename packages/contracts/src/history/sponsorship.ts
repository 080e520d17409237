/**
 * A sponsorship as history stores and answers it (specification of history, "A sponsorship"): one reservation
 * and everything that followed from it. Amounts are decimal text in the ledger's smallest unit, times
 * milliseconds since 1970.
 */
export interface Sponsorship {
  readonly reservation_id: number;
  readonly status: SponsorshipStatus;
  /** Null unless `executed`. */
  readonly outcome: 'success' | 'failure' | null;
  readonly token: string;
  readonly user: string | null;
  readonly sponsor_address: string;
  readonly sender: string | null;
  readonly digest: string | null;
  readonly gas_budget: string;
  readonly reserved_balance: string;
  readonly gas_coins: readonly { objectId: string; version: number; digest: string }[];
  readonly gas: SponsorshipGas | null;
  readonly commands: readonly string[];
  readonly rule: string | null;
  /** Oldest first, at most `MAX_REFUSALS`. */
  readonly refusals: readonly SponsorshipRefusal[];
  /** The ledger's text: why it failed, or of a quarantined one, why it was not executed. */
  readonly failure: string | null;
  /** Submissions to a node. */
  readonly attempts: number;
  readonly executor: string | null;
  readonly request_ids: readonly string[];
  readonly trace_id: string | null;
  readonly timeline: readonly { readonly at: number; readonly event: TimelineEvent }[];
  readonly created_at: number;
  readonly ended_at: number | null;
  /**
   * Why it was recorded from the ledger, because the pool had no record of it; null: it was recorded as it
   * ended. Token, reserved balance and the steps before its execution may be lost: the token is empty then.
   */
  readonly rebuilt: RebuildCause | null;
}

/** Redis had lost it; or another process has sponsored it with the sponsor's key. */
export const rebuildCauses = ['redis_lost_writes', 'outside_pool'] as const;
export type RebuildCause = (typeof rebuildCauses)[number];

/** A sponsorship in a list. */
export type ListedSponsorship = Omit<Sponsorship, 'timeline' | 'gas_coins'>;

const openStatuses = ['reserved', 'executing', 'quarantined'] as const;
export const endedStatuses = ['executed', 'expired', 'released'] as const;
export type EndedStatus = (typeof endedStatuses)[number];
export const sponsorshipStatuses = [...openStatuses, ...endedStatuses] as const;
export type SponsorshipStatus = (typeof sponsorshipStatuses)[number];

/**
 * The states of a list: a status, told apart by outcome, and by whether an execute was refused before it
 * ended unused.
 */
export const sponsorshipStates = [
  'executed',
  'failed',
  'refused',
  'quarantined',
  'in_flight',
  'reserved',
  'expired',
  'released',
] as const;
export type SponsorshipState = (typeof sponsorshipStates)[number];

export const timelineEvents = [
  'reserved',
  'claimed',
  'begun',
  'submitted',
  'executed',
  'quarantined',
  'expired',
  'released',
] as const;
export type TimelineEvent = (typeof timelineEvents)[number];

/**
 * The ledger's charges; of one that expired in quarantine, for moving its coins. `counted`: the amount that
 * limits counted.
 */
export interface SponsorshipGas {
  readonly computation: string;
  readonly storage: string;
  readonly rebate: string;
  readonly net: string;
  readonly counted: string;
}

/** One refused execute of a reservation. */
export interface SponsorshipRefusal {
  readonly at: number;
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly digest: string | null;
}

export const MAX_REFUSALS = 10;
