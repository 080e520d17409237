import { ApiProperty } from '@nestjs/swagger';
import { IntegerField, RESERVATION_ID } from './fields.js';

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
