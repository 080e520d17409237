import { IsIntegerBetween } from '../validation/is-integer-between.js';
import { IsText } from '../validation/is-text.js';
import { MAX_NAME_LENGTH } from './name-length.js';

/** `release-reservation`. Releases an unused reservation. Throws RESERVATION_UNKNOWN. */
export class ReleaseReservationMessage {
  @IsText({ maxLength: MAX_NAME_LENGTH })
  readonly caller!: string;

  @IsIntegerBetween(1, Number.MAX_SAFE_INTEGER)
  readonly reservationId!: number;
}
