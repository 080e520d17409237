import { IsBoolean, IsOptional } from 'class-validator';
import {
  IsArrayOfDtos,
  IsDto,
  IsIntegerBetween,
  IsName,
  IsNatural,
  IsPositiveInteger,
} from '../dto/index.js';

/** A gas coin as the wires name it (specification, "Gas coin reference"). */
export class GasCoinReference {
  /** `0x` and 64 hex digits. */
  @IsName() readonly objectId!: string;
  @IsNatural() readonly version!: number;

  /** Base58. */
  @IsName() readonly digest!: string;
}

const MAX_DURATION_SECS = Math.floor(Number.MAX_SAFE_INTEGER / 1_000);

/** Limits on the reservations of one caller; null: no limit. Budgets in the smallest unit. */
export class ReservationLimits {
  /** At once. */
  @IsOptional() @IsPositiveInteger() readonly coins!: number | null;
  @IsOptional() @IsPositiveInteger() readonly budget!: number | null;
  @IsOptional() @IsPositiveInteger() readonly coinsPerMinute!: number | null;
  @IsOptional() @IsPositiveInteger() readonly budgetPerMinute!: number | null;

  /** At once, in percent of the coins that are free or the caller's own. */
  @IsOptional() @IsPositiveInteger() readonly poolShare!: number | null;

  /** Reservations that end unused, beyond those that are executed. */
  @IsOptional() @IsPositiveInteger() readonly unusedPerMinute!: number | null;
}

/** `reserve-gas`. Throws INVALID_REQUEST, NO_COINS, POOL_REFUSED, RESERVATION_LIMIT, SPONSOR_DRAINED. */
export class ReserveGasMessage {
  @IsName() readonly caller!: string;

  /** Absent: the caller has none. */
  @IsOptional() @IsDto(ReservationLimits) readonly limits?: ReservationLimits;

  /** Of all users of the caller's token together; absent for a caller that is not one of them. */
  @IsOptional() @IsDto(ReservationLimits) readonly usersLimits?: ReservationLimits;

  /** Which sponsor pays; absent: the pool's first. */
  @IsOptional() @IsName() readonly sponsor?: string;
  @IsPositiveInteger() readonly gasBudget!: number;
  @IsIntegerBetween(1, MAX_DURATION_SECS) readonly durationSecs!: number;
}

/** The reply to `reserve-gas`. */
export class ReservedGas {
  @IsPositiveInteger() readonly reservationId!: number;
  @IsName() readonly sponsor!: string;
  @IsArrayOfDtos(GasCoinReference) readonly coins!: readonly GasCoinReference[];

  /** Milliseconds since 1970 by Redis's clock. */
  @IsPositiveInteger() readonly deadlineMs!: number;

  /** If the whole budget is used, the rest of the coins may be dust. */
  @IsBoolean() readonly mayLeaveDust!: boolean;
}
