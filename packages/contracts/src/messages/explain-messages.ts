import { IsBoolean, IsNumber, IsOptional, ValidateIf } from 'class-validator';
import {
  DECIMAL,
  IsArrayOfDtos,
  IsDto,
  IsName,
  IsNatural,
  IsOneOf,
  IsPositiveInteger,
  IsText,
  MAX_MESSAGE_LENGTH,
} from '../dto/index.js';
import { type ReservationState, reservationStates } from './find-reservation.js';
import { GasCoinReference } from './reserve-gas.js';

/** `explain-transaction`. The pools' records of a transaction or a reservation; one of them is named. */
export class ExplainTransactionMessage {
  /** Base58. */
  @ValidateIf(({ reservationId }: ExplainTransactionMessage) => reservationId === undefined)
  @IsName()
  readonly digest?: string;
  @IsOptional() @IsPositiveInteger() readonly reservationId?: number;
}

/** The amount that a transaction in flight holds of one counter of a limit. */
export class HeldUsage {
  @IsName() readonly counter!: string;

  /** `gas` or `requests`. */
  @IsName() readonly counts!: string;
  @IsText(DECIMAL) readonly amount!: string;

  /** The amount that all transactions together use of it now. */
  @IsText(DECIMAL) readonly used!: string;
}

/** Why a claim of a reservation did not execute. */
export class TracedRefusal {
  @IsName() readonly digest!: string;

  /** Empty: no node reported the outcome. */
  @IsText({ minLength: 0, maxLength: MAX_MESSAGE_LENGTH }) readonly message!: string;

  /** The quarantine can end once the ledger is in a later epoch than this one; null: refused for certain. */
  @IsOptional() @IsNatural() readonly epoch!: number | null;

  /** The sponsor's own transaction that moves the coins on. */
  @IsOptional() @IsName() readonly movedOnBy!: string | null;
}

/** The stored record of one reservation. Times in milliseconds since 1970, by Redis's clock. */
export class ReservationTrace {
  @IsPositiveInteger() readonly reservationId!: number;
  @IsName() readonly sponsor!: string;
  @IsName() readonly caller!: string;

  /** `expired`: its deadline has passed, or its transaction will never execute. */
  @IsOneOf(reservationStates) readonly state!: ReservationState;
  @IsNatural() readonly gasBudget!: number;
  @IsNumber() readonly durationSecs!: number;
  @IsNatural() readonly deadlineMs!: number;

  /** Empty once the reservation is over. */
  @IsArrayOfDtos(GasCoinReference) readonly coins!: readonly GasCoinReference[];

  /** The transaction it is bound to, or that it was used for. */
  @IsOptional() @IsName() readonly digest!: string | null;

  /** Number of its claims, abandoned ones included. */
  @IsNatural() readonly fence!: number;

  /** Of a claim that has not begun: when it is released unless it has a job. */
  @IsOptional() @IsNatural() readonly leaseEndsMs!: number | null;

  /** When an executor took it up first. */
  @IsOptional() @IsNatural() readonly begunMs!: number | null;

  /** The executor that took it up last. */
  @IsOptional() @IsName() readonly executor!: string | null;

  /** Whether several executors have taken it up, or one of them again. */
  @IsBoolean() readonly isResumed!: boolean;

  /** The access rule that allowed the transaction in flight; null where none did. */
  @IsOptional() @IsName() readonly rule!: string | null;

  /** Gateways that wait for the outcome. */
  @IsNatural() readonly waiters!: number;
  @IsArrayOfDtos(HeldUsage) readonly usage!: readonly HeldUsage[];
  @IsOptional() @IsDto(TracedRefusal) readonly refusal!: TracedRefusal | null;

  /** How long this record will be kept; null: until the reservation ends. */
  @IsOptional() @IsNatural() readonly keptForMs!: number | null;
}

/** The reply to `explain-transaction`. */
export class ExplainTransactionReply {
  /** Null: there is no record. */
  @IsOptional() @IsDto(ReservationTrace) readonly trace!: ReservationTrace | null;

  /** The sponsors that have a pool. */
  @IsName({ each: true }) readonly sponsors!: readonly string[];
}
