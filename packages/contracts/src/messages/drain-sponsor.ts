import { IsName } from '../validation/is-text.js';

/** `undrain-sponsor`. The sponsor gives reservations again. Empty reply. Throws INVALID_REQUEST for an unknown sponsor. */
export class UndrainSponsorMessage {
  /** In full form. */
  @IsName()
  readonly sponsor!: string;
}

/** `drain-sponsor`. The sponsor gives no more reservations. Empty reply. Throws INVALID_REQUEST for an unknown sponsor. */
export class DrainSponsorMessage extends UndrainSponsorMessage {
  @IsName()
  readonly reason!: string;

  /** Name of the operator's token. */
  @IsName()
  readonly operator!: string;
}
