import { ApiProperty } from '@nestjs/swagger';
import type { GasCoinReference } from '../messages/coin-pool-messages.js';
import {
  GAS_BUDGET_BOUNDS,
  MAX_TX_BYTES_LENGTH,
  MAX_USER_SIG_LENGTH,
  type RequestType,
  requestTypes,
  RESERVE_DURATION_BOUNDS,
} from '../request-limits.js';
import {
  AddressField,
  Base64Field,
  BooleanField,
  DtoField,
  FULL_ADDRESS,
  IntegerField,
  OneOfField,
  RESERVATION_ID,
} from './fields.js';
import { ObjectReference, TransactionEffects } from './transaction-effects.dto.js';

const { min: MIN_SECS, max: MAX_SECS } = RESERVE_DURATION_BOUNDS;

/** Body of `POST /v1/reserve_gas`. */
export class ReserveGasRequest {
  @IntegerField(GAS_BUDGET_BOUNDS.min, GAS_BUDGET_BOUNDS.max, {
    description: 'The maximum cost of the transaction, in the ledger’s smallest unit.',
    example: 10_000_000,
  })
  gas_budget!: number;

  @IntegerField(MIN_SECS, MAX_SECS, {
    description: 'How long the coins stay reserved.',
    example: 60,
  })
  reserve_duration_secs!: number;

  @AddressField({
    description: 'The sponsor that pays, if the token may choose one; by default the first.',
    optional: true,
  })
  sponsor_address?: string | null;
}

/** A gas coin (specification, "Gas coin reference"). */
export class GasCoin extends ObjectReference implements GasCoinReference {}

class ReservedCoins {
  @ApiProperty({ ...FULL_ADDRESS, description: 'The gas owner of the transaction.' })
  readonly sponsor_address!: string;

  @ApiProperty(RESERVATION_ID) readonly reservation_id!: number;

  @ApiProperty({
    type: [GasCoin],
    minItems: 1,
    maxItems: 255,
    description: 'The gas payment of the transaction: exactly these.',
  })
  readonly gas_coins!: readonly GasCoin[];
}

/** Answer of `POST /v1/reserve_gas`. */
export class ReserveGasResponse {
  @ApiProperty() readonly result!: ReservedCoins;
}

/** Body of `POST /v1/release_gas`. */
export class ReleaseGasRequest {
  @IntegerField(1, Number.MAX_SAFE_INTEGER, {
    description: 'The reservation to release.',
    example: RESERVATION_ID.example,
  })
  reservation_id!: number;
}

class Release {
  @ApiProperty({ description: 'False for a reservation that is used or over already.' })
  readonly released!: boolean;
}

/** Answer of `POST /v1/release_gas`. */
export class ReleaseGasResponse {
  @ApiProperty() readonly result!: Release;
}

/** Parts of the answer in addition to the effects, by the names of the ledger's own API. */
export class ExecuteTxOptions {
  @BooleanField({ description: 'Return `events`.', optional: true }) showEvents?: boolean | null;

  @BooleanField({ description: 'Return `object_changes`.', optional: true })
  showObjectChanges?: boolean | null;

  @BooleanField({ description: 'Return `balance_changes`.', optional: true })
  showBalanceChanges?: boolean | null;

  @BooleanField({ description: 'Return `input`.', optional: true }) showInput?: boolean | null;
}

/** Body of `POST /v1/execute_tx`. */
export class ExecuteTxRequest {
  @IntegerField(1, Number.MAX_SAFE_INTEGER, {
    description: 'The reservation whose coins pay.',
    example: RESERVATION_ID.example,
  })
  reservation_id!: number;

  @Base64Field(MAX_TX_BYTES_LENGTH, { description: 'The transaction: BCS in base64.' })
  tx_bytes!: string;

  @Base64Field(MAX_USER_SIG_LENGTH, {
    description: 'The sender’s signature: base64 of flag, signature and public key.',
  })
  user_sig!: string;

  @OneOfField(requestTypes, {
    description:
      'Whether to wait until the effects are final, or also until the node that serves reads shows them.',
    example: 'waitForEffectsCert',
    optional: true,
  })
  requestType?: RequestType | null;

  @OneOfField(requestTypes, {
    description: 'Another spelling, which some clients send; `requestType` takes precedence.',
    optional: true,
  })
  request_type?: RequestType | null;

  @DtoField(ExecuteTxOptions, { description: 'More parts of the answer.', optional: true })
  options?: ExecuteTxOptions | null;
}

const PART = {
  required: false,
  nullable: true,
  description:
    'In the ledger’s own JSON, if `options` asks for it; null while the node that serves reads does not show the transaction.',
} as const;
const LIST = { ...PART, type: 'array', items: {} } as const;

/** Answer of `POST /v1/execute_tx`. */
export class ExecuteTxResponse {
  @ApiProperty({ description: 'The ledger’s own JSON, with every field.' })
  readonly effects!: TransactionEffects;

  @ApiProperty({ type: 'null' }) readonly error!: null;
  @ApiProperty(LIST) readonly events?: unknown;
  @ApiProperty(LIST) readonly object_changes?: unknown;
  @ApiProperty(LIST) readonly balance_changes?: unknown;
  @ApiProperty({ ...PART, type: Object }) readonly input?: unknown;
}
