import { claimReservation as claimInStore } from '@forecourt/coin-store';
import {
  type ClaimedReservation,
  type ClaimReservationMessage,
  ForecourtError,
} from '@forecourt/contracts';
import { passFailpoint } from '@forecourt/runtime/failpoints';
import type { PoolParts } from '../pool/pool-parts.js';
import type { SponsorDirectory } from '../pool/sponsor-directory.js';
import { findReservation } from './find-reservation.js';

/** Binds a reservation to a transaction. Throws RESERVATION_UNKNOWN, RESERVATION_EXPIRED, RESERVATION_USED, INPUT_IN_FLIGHT, QUARANTINE_LIMIT, POOL_REFUSED. */
export async function claimReservation(
  parts: PoolParts,
  directory: SponsorDirectory,
  message: ClaimReservationMessage,
): Promise<ClaimedReservation> {
  const id = String(message.reservationId);
  const sponsor = await directory.sponsorOf(message.reservationId);
  if (sponsor === null) throw new ForecourtError('RESERVATION_UNKNOWN', id);
  const claim = { ...message, leaseMs: parts.settings.claimLeaseMs };
  await parts.gate.pass();
  passFailpoint('coin-pool:before-claim');
  parts.gate.assertOpen();
  const claimed = await claimInStore(parts.redis, sponsor, claim);
  if (claimed.result === 'claimed') passFailpoint('coin-pool:after-claim');
  switch (claimed.result) {
    case 'claimed':
      return { claimed: true, sponsor, fence: claimed.fence };
    case 'known': {
      const { found } = await findReservation(parts, directory, message);
      if (!found) throw new ForecourtError('RESERVATION_UNKNOWN', id);
      return { claimed: false, found, usages: null };
    }
    case 'usage':
      return { claimed: false, found: null, usages: claimed.usages };
    case 'locked': {
      const [objectId, version] = claimed.input.split(':');
      const detail = `object ${objectId} at version ${version}, by ${claimed.digest}`;
      throw new ForecourtError('INPUT_IN_FLIGHT', detail);
    }
    case 'quarantines': {
      const retryAfterSecs = Math.ceil(claimed.endsInMs / 1_000);
      throw new ForecourtError('QUARANTINE_LIMIT', '', { retryAfterSecs });
    }
    case 'expired':
      throw new ForecourtError('RESERVATION_EXPIRED', id);
    case 'used':
      throw new ForecourtError('RESERVATION_USED', id);
    case 'unknown':
      throw new ForecourtError('RESERVATION_UNKNOWN', id);
  }
}
