import { releaseReservation as releaseInStore } from '@forecourt/coin-store';
import { ForecourtError, type ReleaseReservationMessage } from '@forecourt/contracts';
import type { PoolParts } from '../pool/pool-parts.js';
import type { SponsorDirectory } from '../pool/sponsor-directory.js';

/** Gives the coins of an unused reservation back at once. Throws RESERVATION_UNKNOWN. */
export async function releaseReservation(
  { redis, settings }: PoolParts,
  directory: SponsorDirectory,
  message: ReleaseReservationMessage,
): Promise<void> {
  const sponsor = await directory.sponsorOf(message.reservationId);
  const release = { ...message, retentionMs: settings.retentionMs };
  if (sponsor === null || !(await releaseInStore(redis, sponsor, release))) {
    throw new ForecourtError('RESERVATION_UNKNOWN', String(message.reservationId));
  }
}
