import { IsPositiveInteger } from '../validation/is-integer-between.js';
import { IsName } from '../validation/is-text.js';

/** `release-reservation`. Gives the coins of an unused reservation back at once. Throws RESERVATION_UNKNOWN. */
export class ReleaseReservationMessage {
  @IsName()
  readonly caller!: string;

  @IsPositiveInteger()
  readonly reservationId!: number;
}
