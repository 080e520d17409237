import { IsOptional } from 'class-validator';
import type { GasCoinReference } from '../gas-coin-reference.js';
import { IsAddress } from '../validation/is-address.js';
import { IsIntegerBetween } from '../validation/is-integer-between.js';

/** Smallest and largest `gas_budget`, in the ledger's smallest unit (specification, "Limits"). */
export const GAS_BUDGET_BOUNDS = { min: 1, max: 1_999_999_999 } as const;
/** The largest budget of the ledger's own protocol: beyond the specification's, for clients that cannot be changed. */
export const LEDGER_MAX_GAS_BUDGET = 50_000_000_000;
/** Shortest and longest `reserve_duration_secs` (specification, "Limits"). */
export const RESERVE_DURATION_BOUNDS = { min: 1, max: 600 } as const;

/** Body of `POST /v1/reserve_gas`. */
export class ReserveGasRequest {
  @IsIntegerBetween(GAS_BUDGET_BOUNDS.min, GAS_BUDGET_BOUNDS.max)
  gas_budget!: number;

  @IsIntegerBetween(RESERVE_DURATION_BOUNDS.min, RESERVE_DURATION_BOUNDS.max)
  reserve_duration_secs!: number;

  /** The sponsor that pays, if the token may choose; absent: the pool's first. */
  @IsOptional()
  @IsAddress()
  sponsor_address?: string | null;
}

/** Answer of `POST /v1/reserve_gas`. */
export interface ReserveGasResponse {
  readonly result: {
    readonly sponsor_address: string;
    readonly reservation_id: number;
    readonly gas_coins: readonly GasCoinReference[];
  };
}
