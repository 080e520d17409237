import { describeArrived, digestInBase58, ForecourtError } from '@forecourt/contracts';
import { readDigest as readDigestText } from '@forecourt/contracts/http';

/** The id of a reservation in a path or a query. Throws INVALID_REQUEST. */
export function readReservationId(value: unknown): number {
  const reservationId = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : 0;
  if (reservationId > 0 && Number.isSafeInteger(reservationId)) return reservationId;
  const expected = `an integer from 1 to ${Number.MAX_SAFE_INTEGER}`;
  throw mustBe('reservation_id', expected, value);
}

/** A digest in a path or a query, in base58. Throws INVALID_REQUEST. */
export function readDigest(value: unknown): string {
  const canonical = readDigestText(value);
  if (canonical !== null) return digestInBase58(canonical);
  throw mustBe('digest', '32 bytes in base58 or base64', value);
}

function mustBe(name: string, expected: string, arrived: unknown): ForecourtError {
  const problem = `${name} must be ${expected}; got ${describeArrived(arrived)}`;
  return new ForecourtError('INVALID_REQUEST', problem);
}
