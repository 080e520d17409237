import { findReservation as findInStore } from '@forecourt/coin-store';
import type { FindReservationMessage, FindReservationReply } from '@forecourt/contracts';
import type { PoolParts } from '../pool/pool-parts.js';
import type { SponsorDirectory } from '../pool/sponsor-directory.js';

/** Shows a caller where its reservation stands. */
export async function findReservation(
  { redis, rules }: PoolParts,
  directory: SponsorDirectory,
  message: FindReservationMessage,
): Promise<FindReservationReply> {
  const sponsor = await directory.sponsorOf(message.reservationId);
  if (sponsor === null) return { found: null, everHeld: false };
  return findInStore(redis, sponsor, message, rules);
}
