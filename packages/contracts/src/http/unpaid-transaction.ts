import { IsOptional } from 'class-validator';
import { IsAddress } from '../validation/is-address.js';
import { IsBase64Text } from '../validation/is-base64-text.js';
import { IsIntegerBetween } from '../validation/is-integer-between.js';
import { MAX_TX_BYTES_LENGTH } from './execute-tx.js';
import { GAS_BUDGET_BOUNDS } from './reserve-gas.js';

/** A transaction without gas data. Exactly one of `kind_bytes` and `tx_bytes` is given. */
export class UnpaidTransactionRequest {
  @IsAddress()
  sender!: string;

  /** The ledger's `TransactionKind`, BCS in base64, as the SDK builds it with `onlyTransactionKind`. */
  @IsOptional()
  @IsBase64Text(MAX_TX_BYTES_LENGTH)
  kind_bytes?: string | null;

  /** The ledger's `TransactionData`, BCS in base64. Its gas data are ignored. */
  @IsOptional()
  @IsBase64Text(MAX_TX_BYTES_LENGTH)
  tx_bytes?: string | null;

  /** Absent: the result of a dry run. */
  @IsOptional()
  @IsIntegerBetween(GAS_BUDGET_BOUNDS.min, GAS_BUDGET_BOUNDS.max)
  gas_budget?: number | null;

  /** Absent: the pool's first sponsor. */
  @IsOptional()
  @IsAddress()
  sponsor_address?: string | null;
}
