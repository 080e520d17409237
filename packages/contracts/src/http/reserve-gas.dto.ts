import { ApiProperty } from '@nestjs/swagger';
import { GAS_BUDGET_BOUNDS, RESERVE_DURATION_BOUNDS } from '../request-limits.js';
import { AddressField, FULL_ADDRESS, IntegerField, RESERVATION_ID } from './fields.js';
import { ObjectReference } from './transaction-effects.dto.js';
import type { GasCoinReference } from '../messages/reserve-gas.js';

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
