import { findReservation as findInStore, type StoredReservation } from '@forecourt/coin-store';
import type {
  FindReservationMessage,
  FindReservationReply,
  FoundReservation,
} from '@forecourt/contracts';
import type { PoolParts } from '../pool/pool-parts.js';
import type { SponsorDirectory } from '../pool/sponsor-directory.js';

/** Shows a caller where its reservation stands. */
export async function findReservation(
  { redis }: PoolParts,
  directory: SponsorDirectory,
  message: FindReservationMessage,
): Promise<FindReservationReply> {
  const sponsor = await directory.sponsorOf(message.reservationId);
  if (sponsor === null) return { found: null, everHeld: false };
  const result = await findInStore(redis, sponsor, message);
  return result.found ? { found: toFound(result.found) } : result;
}

/** Balances stay inside the pool. */
export function toFound({
  coins,
  deadlineMs: _inside,
  ...rest
}: StoredReservation): FoundReservation {
  return {
    ...rest,
    coins: coins.map(({ objectId, version, digest }) => ({ objectId, version, digest })),
  };
}
