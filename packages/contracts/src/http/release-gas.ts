import { IsPositiveInteger } from '../validation/is-integer-between.js';

/** Body of `POST /v1/release_gas`. */
export class ReleaseGasRequest {
  @IsPositiveInteger()
  reservation_id!: number;
}

/** Answer of `POST /v1/release_gas`. */
export interface ReleaseGasResponse {
  /** `released` is false for a reservation that is used or over already. */
  readonly result: { readonly released: boolean };
}
