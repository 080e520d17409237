import {
  type Claim,
  claimReservations,
  type ClaimResult,
  type CoinStoreRedis,
} from '@forecourt/coin-store';
import {
  type ClaimedReservation,
  type ClaimReservationMessage,
  type FindReservationMessage,
  ForecourtError,
} from '@forecourt/contracts';
import { KeyedBatcher } from '@forecourt/runtime/async';
import { passFailpoint } from '@forecourt/runtime/failpoints';
import type { CoinPoolConfig } from '../coin-pool-config.js';
import type { ExecutionJobs } from '../pool/execution-jobs.js';
import type { InputLocks } from '../pool/input-locks.js';
import type { QuarantinesElsewhere } from '../pool/quarantines-elsewhere.js';
import type { RestartGuard } from '../pool/restart-guard.js';
import type { ReservationsService } from './reservations.service.js';

/** Most claims in one script call, which bounds how long a call keeps Redis busy. */
const MAX_BATCH = 16;

/** Binds reservations to transactions, and enqueues their jobs; concurrent claims of a process share one script call. */
export class ClaimsService {
  private readonly claims = new KeyedBatcher<Claim, ClaimResult | Error>(
    (sponsor, claims) => this.claimBatch(sponsor, claims),
    MAX_BATCH,
  );

  constructor(
    private readonly redis: CoinStoreRedis,
    private readonly settings: Pick<CoinPoolConfig, 'claimLeaseMs'>,
    private readonly reservations: Pick<ReservationsService, 'find' | 'sponsorOf'>,
    private readonly guard: RestartGuard,
    private readonly inputLocks: InputLocks,
    private readonly quarantines: QuarantinesElsewhere,
    private readonly jobs: Pick<ExecutionJobs, 'add' | 'takeTurn'>,
  ) {}

  /**
   * Returns once the claim's job is in the queue. Throws RESERVATION_UNKNOWN, RESERVATION_EXPIRED, RESERVATION_USED,
   * INPUT_IN_FLIGHT, QUARANTINE_LIMIT, POOL_REFUSED, OUTCOME_UNKNOWN, STORE_UNREACHABLE.
   */
  async claim(message: ClaimReservationMessage): Promise<ClaimedReservation> {
    const id = String(message.reservationId);
    const sponsor = await this.reservations.sponsorOf(message.reservationId);
    if (sponsor === null) throw new ForecourtError('RESERVATION_UNKNOWN', id);
    await this.guard.check();
    passFailpoint('coin-pool:before-claim');
    const claim = {
      ...message,
      leaseMs: this.settings.claimLeaseMs,
      quarantinedElsewhere: await this.quarantines.agesOf(message.caller, sponsor),
    };
    const turn = this.jobs.takeTurn(message.caller);
    const claimed = await this.inputLocks.around({ ...claim, sponsor }, async (fence) => {
      passFailpoint('coin-pool:after-lock');
      const result = await this.claims.add(sponsor, { ...claim, fence });
      if (result instanceof Error) throw result;
      return result;
    });
    switch (claimed.result) {
      case 'claimed': {
        passFailpoint('coin-pool:after-claim');
        const { fence } = claimed;
        await this.jobs.add(message, { sponsor, fence, turn: await turn });
        return { claimed: true, sponsor, fence };
      }
      case 'known': {
        const { found } = await this.reservations.find(message);
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

  /** Adds the job of a claim again: the coin-pool that made the claim may have died before it did. Throws OUTCOME_UNKNOWN. */
  async enqueueAgain(message: FindReservationMessage): Promise<void> {
    const { found } = await this.reservations.find(message);
    if (found?.state !== 'claimed' || found.digest !== message.digest) return;
    const { sponsor, fence } = found;
    const turn = await this.jobs.takeTurn(message.caller);
    await this.jobs.add(message, { sponsor, fence, turn });
  }

  private async claimBatch(
    sponsor: string,
    claims: readonly Claim[],
  ): Promise<readonly (ClaimResult | Error)[]> {
    this.guard.assertSameConnection();
    const { results, watermark } = await claimReservations(this.redis, sponsor, claims);
    if (watermark !== null) this.guard.remember(sponsor, watermark);
    return results;
  }
}
