import { createHmac, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';

/** The HTTP header in which a gateway tells another service of the fleet which client a request came from. */
export const CLIENT_ADDRESS_HEADER = 'x-forecourt-client-address';

/** How far the clocks of two services may be apart, and how long a header can be replayed, in ms. */
const VALID_MS = 30_000;
/** Keeps these signatures apart from everything else that is signed with the fleet secret. */
const PURPOSE = 'forecourt client address 1';

/**
 * The value of `CLIENT_ADDRESS_HEADER` for a request from `address`, an IPv4 or IPv6 address. `now` is in ms since the
 * epoch. It proves that a holder of the fleet secret wrote it; it is no proof for the rest of the request.
 */
export function signClientAddress(secret: string, address: string, now: number): string {
  return `${address};${now};${signatureOf(secret, address, now).toString('base64url')}`;
}

/**
 * The address in the value of `CLIENT_ADDRESS_HEADER`. Null when there is none, when it was signed with none of these
 * secrets, or when it was signed more than 30 s before or after `now`.
 */
export function readClientAddress(
  secrets: readonly string[],
  header: string | undefined,
  now: number,
): string | null {
  const [address = '', signedAt = '', signature = '', ...rest] = (header ?? '').split(';');
  if (rest.length > 0 || isIP(address) === 0 || !/^\d{1,16}$/.test(signedAt)) return null;
  if (Math.abs(now - Number(signedAt)) > VALID_MS) return null;
  const arrived = Buffer.from(signature, 'base64url');
  const isSigned = secrets.some((secret) => {
    const expected = signatureOf(secret, address, Number(signedAt));
    return arrived.length === expected.length && timingSafeEqual(arrived, expected);
  });
  return isSigned ? address : null;
}

function signatureOf(secret: string, address: string, signedAt: number): Buffer {
  return createHmac('sha256', secret).update(`${PURPOSE}\n${address}\n${signedAt}`).digest();
}
