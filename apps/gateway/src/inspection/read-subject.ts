import { canonicalDigest, digestInBase58, ForecourtError } from '@forecourt/contracts';

/** What is to be explained: a transaction by its digest in base58, or a reservation. */
export type Subject = { readonly digest: string } | { readonly reservationId: number };

/** Throws INVALID_REQUEST for anything but one digest or one reservation id. */
export function readSubject(query: Readonly<Record<string, unknown>>): Subject {
  const { digest, reservation_id: reservationId } = query;
  if ((digest === undefined) === (reservationId === undefined)) {
    throw new ForecourtError('INVALID_REQUEST', 'Give exactly one of digest and reservation_id');
  }
  return digest === undefined ? readReservationId(reservationId) : readDigest(digest);
}

function readReservationId(value: unknown): Subject {
  const reservationId = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : 0;
  if (reservationId > 0 && Number.isSafeInteger(reservationId)) return { reservationId };
  throw new ForecourtError(
    'INVALID_REQUEST',
    `reservation_id must be an integer from 1 to ${Number.MAX_SAFE_INTEGER}`,
  );
}

/** In a query, a plus sign that is not escaped reads as a blank; base64 has no blanks. */
function readDigest(value: unknown): Subject {
  const canonical = canonicalDigest(typeof value === 'string' ? value.replaceAll(' ', '+') : value);
  if (canonical !== null) return { digest: digestInBase58(canonical) };
  throw new ForecourtError('INVALID_REQUEST', 'digest must be 32 bytes in base58 or base64');
}
