import { ApiProperty } from '@nestjs/swagger';
import type { GasCoinReference } from '../messages/coin-pool-messages.js';
import { GAS_BUDGET_BOUNDS, RESERVE_DURATION_BOUNDS } from '../request-limits.js';
import { AddressField, DIGEST, FULL_ADDRESS, IntegerField, RESERVATION_ID } from './fields.js';

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
export class GasCoin implements GasCoinReference {
  @ApiProperty(FULL_ADDRESS) readonly objectId!: string;
  @ApiProperty({ type: 'integer', example: 3 }) readonly version!: number;
  @ApiProperty(DIGEST) readonly digest!: string;
}

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
