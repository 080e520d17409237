import { IsOptional } from 'class-validator';
import { IsIntegerBetween } from '../validation/is-integer-between.js';
import { RESERVE_DURATION_BOUNDS } from './reserve-gas.js';
import { UnpaidTransactionRequest } from './unpaid-transaction.js';

/** For how long coins are reserved for a built transaction if the request does not say. */
export const DEFAULT_BUILD_DURATION_SECS = 60;

/** Body of `POST /v1/build_tx`. */
export class BuildTxRequest extends UnpaidTransactionRequest {
  @IsOptional()
  @IsIntegerBetween(RESERVE_DURATION_BOUNDS.min, RESERVE_DURATION_BOUNDS.max)
  reserve_duration_secs?: number | null;
}

/** Answer of `POST /v1/build_tx`: the user signs exactly `tx_bytes`, and `execute_tx` does the rest. */
export interface BuildTxResponse {
  readonly result: {
    /** BCS in base64. */
    readonly tx_bytes: string;
    /** Base58. */
    readonly digest: string;
    readonly reservation_id: number;
    readonly gas_budget: number;
    readonly sponsor_address: string;
    /** Milliseconds since 1970: the coins are kept until then. */
    readonly expires_at: number;
  };
}
