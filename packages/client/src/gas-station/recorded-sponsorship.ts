import type { GasCoin } from './reserve-gas.js';

/** The ledger's charge, in its smallest unit. */
export interface ChargedGas {
  readonly computation: bigint;
  readonly storage: bigint;
  readonly rebate: bigint;
  /** Negative if more storage was refunded than paid for. */
  readonly net: bigint;
  /** The part that limits counted. */
  readonly counted: bigint;
}

/** A refused execute of a reservation. */
export interface RefusedExecute {
  /** Milliseconds since 1970, as all times. */
  readonly at: number;
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly digest: string | null;
}

/** A reservation and everything that followed from it. */
export interface Sponsorship {
  readonly reservationId: number;
  readonly status: 'reserved' | 'executing' | 'quarantined' | 'executed' | 'expired' | 'released';
  /** Of an executed transaction, on the ledger. */
  readonly outcome: 'success' | 'failure' | null;
  readonly token: string;
  /** The user of a user's token. */
  readonly user: string | null;
  readonly sponsorAddress: string;
  readonly sender: string | null;
  /** Base58. */
  readonly digest: string | null;
  readonly gasBudget: bigint;
  readonly reservedBalance: bigint;
  readonly gasCoins: readonly GasCoin[];
  /** Null where the ledger charged nothing. */
  readonly gas: ChargedGas | null;
  /** `MoveCall 0x…::module::function`, `TransferObjects`, … in order. */
  readonly commands: readonly string[];
  /** The access rule that allowed it. */
  readonly rule: string | null;
  /** Oldest first. */
  readonly refusals: readonly RefusedExecute[];
  /** The ledger's text for the outcome `failure`. */
  readonly failure: string | null;
  /** Submissions to a node. */
  readonly attempts: number;
  readonly executor: string | null;
  readonly requestIds: readonly string[];
  readonly traceId: string | null;
  /** The times of its transitions, such as `reserved`, `submitted` and `executed`, in order. */
  readonly timeline: readonly { readonly at: number; readonly event: string }[];
  readonly createdAt: number;
  readonly endedAt: number | null;
}
