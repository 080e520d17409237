import { IsArray, IsBoolean, IsOptional } from 'class-validator';
import { IsAmount, IsArrayOfDtos, IsDto, IsName, IsNatural } from '../dto/index.js';

/**
 * `undrain-sponsor`. The sponsor gives reservations again. Empty reply. Throws INVALID_REQUEST for an unknown
 * sponsor.
 */
export class UndrainSponsorMessage {
  /** In full form. */
  @IsName() readonly sponsor!: string;
}

/**
 * `drain-sponsor`. The sponsor gives no more reservations. Empty reply. Throws INVALID_REQUEST for an unknown
 * sponsor.
 */
export class DrainSponsorMessage extends UndrainSponsorMessage {
  @IsName() readonly reason!: string;

  /** Name of the operator's token. */
  @IsName() readonly operator!: string;
}

/**
 * `withdraw-funds`. Orders that all funds of a drained sponsor are sent to an address; the same order again
 * changes nothing. Empty reply. Throws INVALID_REQUEST, FORBIDDEN where the coin-pool may not send to the
 * address, SPONSOR_NOT_IDLE, LOSS_NOT_EXAMINED, POOL_REFUSED while the pool is suspended.
 */
export class WithdrawFundsMessage extends DrainSponsorMessage {
  /** In full form. */
  @IsName() readonly to!: string;

  /** The loss of Redis after which the operator has looked at the ledger; null or absent: none. */
  @IsOptional() @IsName() readonly afterLoss?: string | null;
}

/**
 * `withdraw-amount`, for which `withdraw-funds` would do but for coin-pools that know no amounts. Orders that
 * an amount is sent; an order with the same address, amount and request is the same one. Throws the errors of
 * `withdraw-funds`, and LEDGER_UNREACHABLE.
 */
export class WithdrawAmountMessage extends WithdrawFundsMessage {
  /** In the smallest unit, in decimal. */
  @IsAmount() readonly amount!: string;

  /** Null: the caller gives none. */
  @IsOptional() @IsName() readonly request!: string | null;
}

/**
 * `reconcile-pool`. Compares a pool with the ledger now, as the audit does from time to time. Throws
 * INVALID_REQUEST for an unknown sponsor, POOL_REFUSED while the pool is suspended.
 */
export class ReconcilePoolMessage extends UndrainSponsorMessage {}

/** The result of a comparison of a pool with the ledger. */
export class Reconciliation {
  /** Coins of the sponsor that the pool lacked. */
  @IsNatural() readonly adopted!: number;

  /** Coins that were changed outside the pool. */
  @IsNatural() readonly corrected!: number;

  /** Differences that remain. */
  @IsNatural() readonly differences!: number;
}

export class ReconcilePoolReply {
  /** Null: it goes on. */
  @IsOptional() @IsDto(Reconciliation) readonly result!: Reconciliation | null;
}

/** The drain of a sponsor. */
export class SponsorDrain {
  @IsName() readonly reason!: string;

  /** Name of the operator's token. */
  @IsName() readonly by!: string;

  /** Milliseconds since 1970, as are all times here. */
  @IsNatural() readonly since!: number;
}

/** The latest withdrawal of a sponsor's funds. */
export class SponsorWithdrawal extends SponsorDrain {
  @IsName() readonly to!: string;

  /** The ordered amount, as `arrived`; null: all funds. */
  @IsOptional() @IsAmount() readonly amount!: string | null;

  /** Number of coins that have left. */
  @IsNatural() readonly coins!: number;

  /** Amount that has arrived at the address, in the smallest unit, in decimal. */
  @IsName() readonly arrived!: string;

  /** Of the last transaction; null before the first. */
  @IsOptional() @IsName() readonly digest!: string | null;

  /** Null: it is in progress. */
  @IsOptional() @IsNatural() readonly ended!: number | null;
}

/** Where a sponsor's key is. */
export class SponsorSigner {
  /** In order of preference: `local`, or the kind of a key service. */
  @IsArray() @IsName({ each: true }) readonly kinds!: readonly string[];

  /** The coin-pool that answers can sign with it. */
  @IsBoolean() readonly signs!: boolean;
}

/** Number of coins in each state. */
export class SponsorCoins {
  @IsNatural() readonly available!: number;
  @IsNatural() readonly dust!: number;
  @IsNatural() readonly treasury!: number;
  @IsNatural() readonly reserved!: number;
  @IsNatural() readonly claimed!: number;
  @IsNatural() readonly executing!: number;
  @IsNatural() readonly quarantined!: number;
  @IsNatural() readonly maintenance!: number;
}

/** The states of coins. */
export const sponsorCoinStates = Object.keys(new SponsorCoins()) as (keyof SponsorCoins)[];

export const sponsorStates = ['serving', 'draining', 'drained', 'opening', 'no-key'] as const;
/**
 * `serving`: gives reservations. `draining`: gives none; some of its coins are reserved or in flight.
 * `drained`: none are. `opening`: the coin-pool has its key, but has not opened its pool yet. `no-key`: the
 * coin-pool that answers does not have its key.
 */
export type SponsorState = (typeof sponsorStates)[number];

/** One sponsor of the fleet. */
export class ListedSponsor {
  @IsName() readonly sponsor!: string;
  @IsName() readonly state!: SponsorState;
  @IsDto(SponsorCoins) readonly coins!: SponsorCoins;

  /** Of all its coins, in the smallest unit, in decimal. */
  @IsName() readonly balance!: string;
  @IsOptional() @IsDto(SponsorDrain) readonly drain!: SponsorDrain | null;
  @IsOptional() @IsDto(SponsorWithdrawal) readonly withdrawal!: SponsorWithdrawal | null;

  /** Null: the coin-pool has no key. */
  @IsOptional() @IsDto(SponsorSigner) readonly signer!: SponsorSigner | null;
}

/**
 * The reply to `list-sponsors`, whose message is empty: every sponsor that the fleet has ever had, with its
 * state in Redis.
 */
export class ListSponsorsReply {
  @IsArrayOfDtos(ListedSponsor) readonly sponsors!: readonly ListedSponsor[];

  /**
   * Chain identifier of the network that the pools belong to; null: the coin-pool has not opened them yet.
   */
  @IsOptional() @IsName() readonly network!: string | null;
}
