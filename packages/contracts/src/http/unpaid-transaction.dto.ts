import { ApiProperty } from '@nestjs/swagger';
import {
  DEFAULT_BUILD_DURATION_SECS,
  GAS_BUDGET_BOUNDS,
  MAX_TX_BYTES_LENGTH,
  RESERVE_DURATION_BOUNDS,
} from '../request-limits.js';
import {
  AddressField,
  AMOUNT,
  Base64Field,
  BCS,
  DIGEST,
  ExactlyOneOf,
  FULL_ADDRESS,
  IntegerField,
  LEDGER_JSON,
  RESERVATION_ID,
  TEXT_OR_NULL,
  TIME,
} from './fields.js';

/** A transaction without gas data. Exactly one of `kind_bytes` and `tx_bytes` is given. */
export class UnpaidTransactionRequest {
  @AddressField({ description: 'The user’s address.' }) sender!: string;

  @Base64Field(MAX_TX_BYTES_LENGTH, {
    description:
      'The ledger’s `TransactionKind`: BCS in base64. Exactly one of this and `tx_bytes` is given.',
    example: BCS.example,
    optional: true,
  })
  kind_bytes?: string | null;

  @Base64Field(MAX_TX_BYTES_LENGTH, {
    description: 'The ledger’s `TransactionData`: BCS in base64. Its gas data are ignored.',
    optional: true,
  })
  tx_bytes?: string | null;

  @IntegerField(GAS_BUDGET_BOUNDS.min, GAS_BUDGET_BOUNDS.max, {
    description:
      'The maximum cost, not below the ledger’s minimum; by default what a dry run suggests.',
    optional: true,
  })
  gas_budget?: number | null;

  @AddressField({
    description: 'The sponsor that pays, if the token may choose one; by default the first.',
    optional: true,
  })
  sponsor_address?: string | null;
}

/** Body of `POST /v1/dry_run_tx`. */
@ExactlyOneOf('kind_bytes', 'tx_bytes')
export class DryRunTxRequest extends UnpaidTransactionRequest {}

/** A limit that would count the transaction. Amounts are gas in the smallest unit, or transactions. */
export class PreviewedLimit {
  @ApiProperty({ enum: ['gas', 'requests'] }) readonly counts!: 'gas' | 'requests';
  @ApiProperty({ ...AMOUNT, description: 'The amount that is used now.' }) readonly used!: string;

  @ApiProperty({
    ...AMOUNT,
    description: 'The amount that the transaction would add; corrected once it has executed.',
  })
  readonly amount!: string;

  @ApiProperty(AMOUNT) readonly limit!: string;

  @ApiProperty({
    ...AMOUNT,
    description: 'The amount that would remain; negative beyond the limit.',
  })
  readonly remaining!: string;

  @ApiProperty({
    type: 'number',
    nullable: true,
    description: 'Null: a total, which is never renewed.',
    example: 3_600,
  })
  readonly window_secs!: number | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description:
      'When the total ends, in milliseconds since 1970; null: it has no end, or is renewed.',
    example: null,
  })
  readonly ends_at!: number | null;
}

class PreviewedDecision {
  @ApiProperty({
    type: 'boolean',
    nullable: true,
    description: 'Null: a hook decides when the transaction is executed.',
    example: true,
  })
  readonly allowed!: boolean | null;

  @ApiProperty({ ...TEXT_OR_NULL, description: 'The access rule that decides; null: none does.' })
  readonly rule!: string | null;

  @ApiProperty({ ...TEXT_OR_NULL, description: 'Of a refusal or an open decision.' })
  readonly reason!: string | null;

  @ApiProperty({ type: [PreviewedLimit] }) readonly limits!: readonly PreviewedLimit[];
}

class SimulatedExecution {
  @ApiProperty({ enum: ['success', 'failure'] }) readonly status!: 'success' | 'failure';
  @ApiProperty(TEXT_OR_NULL) readonly error!: string | null;
}

class SimulatedCost {
  @ApiProperty(AMOUNT) readonly computation_cost!: string;
  @ApiProperty(AMOUNT) readonly storage_cost!: string;
  @ApiProperty(AMOUNT) readonly storage_rebate!: string;

  @ApiProperty({ ...AMOUNT, description: 'Negative if the rebate exceeds the costs.' })
  readonly net_cost!: string;

  @ApiProperty({ type: 'integer', example: 4_552_960 }) readonly suggested_budget!: number;
}

class DryRunResult {
  @ApiProperty() readonly sponsored!: PreviewedDecision;
  @ApiProperty() readonly execution!: SimulatedExecution;
  @ApiProperty() readonly gas!: SimulatedCost;
  @ApiProperty(LEDGER_JSON) readonly balance_changes!: readonly unknown[];
  @ApiProperty(LEDGER_JSON) readonly object_changes!: readonly unknown[];
  @ApiProperty(LEDGER_JSON) readonly events!: readonly unknown[];
}

/** Answer of `POST /v1/dry_run_tx`. */
export class DryRunTxResponse {
  @ApiProperty() readonly result!: DryRunResult;
}

/** Body of `POST /v1/build_tx`. */
@ExactlyOneOf('kind_bytes', 'tx_bytes')
export class BuildTxRequest extends UnpaidTransactionRequest {
  @IntegerField(RESERVE_DURATION_BOUNDS.min, RESERVE_DURATION_BOUNDS.max, {
    description: `How long the coins stay reserved; by default ${DEFAULT_BUILD_DURATION_SECS} seconds.`,
    optional: true,
  })
  reserve_duration_secs?: number | null;
}

class BuiltTransaction {
  @ApiProperty({ ...BCS, description: 'The bytes that the user signs: BCS in base64.' })
  readonly tx_bytes!: string;

  @ApiProperty(DIGEST) readonly digest!: string;
  @ApiProperty(RESERVATION_ID) readonly reservation_id!: number;
  @ApiProperty({ type: 'integer', example: 4_552_960 }) readonly gas_budget!: number;
  @ApiProperty(FULL_ADDRESS) readonly sponsor_address!: string;
  @ApiProperty(TIME) readonly expires_at!: number;
}

/** Answer of `POST /v1/build_tx`: the user signs exactly `tx_bytes`, and `execute_tx` does the rest. */
export class BuildTxResponse {
  @ApiProperty() readonly result!: BuiltTransaction;
}
