import { IsOptional } from 'class-validator';
import { LISTED_BOUNDS } from '../request-limits.js';
import {
  DECIMAL,
  IsArrayOfDtos,
  IsDto,
  IsIntegerBetween,
  IsName,
  IsNatural,
  IsOneOf,
  IsPositiveInteger,
  IsText,
} from '../dto/index.js';
import { SponsorDrain, SponsorSigner } from './sponsor-messages.js';

/**
 * `inspect-pools`. Every sponsor's pool in numbers, and the transactions in flight that no executor has taken
 * up for longest.
 */
export class InspectPoolsMessage {
  /** Of each state. */
  @IsIntegerBetween(LISTED_BOUNDS.min, LISTED_BOUNDS.max) readonly listed!: number;
}

/** The coins of a pool in one state. */
export class InspectedCoins {
  @IsName() readonly state!: string;
  @IsText(DECIMAL) readonly coins!: string;

  /** In the smallest unit. */
  @IsText(DECIMAL) readonly balance!: string;
}

/** Available coins of one size, which reaches from its least balance to twice that. */
export class InspectedSize {
  @IsText(DECIMAL) readonly atLeast!: string;
  @IsNatural() readonly coins!: number;
}

/** Gas that a pool has paid since a time, less refunds. */
export class InspectedSpending {
  @IsText(DECIMAL) readonly spent!: string;

  /** Milliseconds since 1970. */
  @IsNatural() readonly since!: number;
  @IsNatural() readonly forMs!: number;
}

/** How many reservations of a pool are in one state. */
export class InspectedReservations {
  @IsName() readonly state!: string;
  @IsNatural() readonly count!: number;
}

export const inFlightStates = ['claimed', 'executing', 'quarantined'] as const;
/** The state of a transaction in flight. */
export type InFlightState = (typeof inFlightStates)[number];

/** One transaction in flight. Times in milliseconds since 1970, by Redis's clock. */
export class InspectedTransaction {
  @IsOneOf(inFlightStates) readonly state!: InFlightState;
  @IsPositiveInteger() readonly reservationId!: number;
  @IsName() readonly caller!: string;
  @IsName() readonly digest!: string;
  @IsNatural() readonly reservedAt!: number;

  /** When an executor took it up first; null: none has. */
  @IsOptional() @IsNatural() readonly begunAt!: number | null;

  /** Time since it began, or since its reservation if it has not begun. */
  @IsNatural() readonly ageMs!: number;

  /** The executor that took it up last. */
  @IsOptional() @IsName() readonly executor!: string | null;
  @IsNatural() readonly coins!: number;

  /** The reason of its quarantine in the ledger's words, shortened; empty: no node reported the outcome. */
  @IsOptional() @IsText({ minLength: 0 }) readonly reason!: string | null;

  /** The quarantine can end once the ledger is in a later epoch than this one. */
  @IsOptional() @IsNatural() readonly quarantineEpoch!: number | null;

  /** The sponsor's own transaction that moves the coins on. */
  @IsOptional() @IsName() readonly movedOnBy!: string | null;
}

/** One sponsor's pool. */
export class InspectedPool {
  @IsName() readonly sponsor!: string;
  @IsArrayOfDtos(InspectedCoins) readonly coins!: readonly InspectedCoins[];
  @IsArrayOfDtos(InspectedReservations) readonly reservations!: readonly InspectedReservations[];

  /** For about an hour and about a day; null before the first sample. */
  @IsOptional() @IsDto(InspectedSpending) readonly hour!: InspectedSpending | null;
  @IsOptional() @IsDto(InspectedSpending) readonly day!: InspectedSpending | null;

  /** The replica that leads the pool; null while none does. */
  @IsOptional() @IsName() readonly leader!: string | null;

  /** How long a suspension still lasts; null: the pool is not suspended. */
  @IsOptional() @IsNatural() readonly suspendedMs!: number | null;
  @IsArrayOfDtos(InspectedTransaction) readonly transactions!: readonly InspectedTransaction[];

  /** Null: the sponsor is not drained. */
  @IsOptional() @IsDto(SponsorDrain) readonly drain!: SponsorDrain | null;

  /** Null: the coin-pool has no key. */
  @IsOptional() @IsDto(SponsorSigner) readonly signer!: SponsorSigner | null;

  /** Sizes that have coins, the largest first. */
  @IsArrayOfDtos(InspectedSize) readonly sizes!: readonly InspectedSize[];
}

/** The reply to `inspect-pools`. */
export class InspectPoolsReply {
  @IsArrayOfDtos(InspectedPool) readonly pools!: readonly InspectedPool[];
}
