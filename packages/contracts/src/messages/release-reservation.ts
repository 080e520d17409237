import { IsName, IsPositiveInteger } from '../dto/index.js';

/** `release-reservation`. Releases an unused reservation. Throws RESERVATION_UNKNOWN. */
export class ReleaseReservationMessage {
  @IsName() readonly caller!: string;
  @IsPositiveInteger() readonly reservationId!: number;
}
