import { IsAddress } from '../validation/is-address.js';
import { IsReason } from '../validation/is-reason.js';

/** Body of `POST /v1/undrain`. */
export class UndrainRequest {
  @IsAddress()
  sponsor_address!: string;
}

/** Body of `POST /v1/drain`. */
export class DrainRequest extends UndrainRequest {
  /** Shown to callers. */
  @IsReason()
  reason!: string;
}
