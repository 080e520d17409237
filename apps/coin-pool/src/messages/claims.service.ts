import { Inject, Injectable } from '@nestjs/common';
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
import { REDIS } from '@forecourt/runtime/service';
import { COIN_POOL_CONFIG, type CoinPoolConfig } from '../coin-pool-config.js';
import { BudgetThresholds } from '../metrics/budget-thresholds.js';
import { InputLocks } from '../pool/input-locks.js';
import { RestartGuard } from '../pool/restart-guard.js';
import { RegisteredSponsors } from '../pool/registered-sponsors.js';
import { PoolReservationsService } from './pool-reservations.service.js';
import { OtherPoolQuarantines } from './other-pool-quarantines.js';
import { ExecutionJobs } from './execution-jobs.js';

/** Most claims in one script call, which bounds how long a call keeps Redis busy. */
const MAX_BATCH = 16;

/**
 * Binds reservations to transactions, and enqueues their jobs; concurrent claims of a process share one
 * script call.
 */
@Injectable()
export class ClaimsService {
  readonly #claims = new KeyedBatcher<Claim, ClaimResult | Error>(async (sponsor, claims) => {
    this.guard.assertSameConnection();
    const { results, watermark, reached } = await claimReservations(this.redis, sponsor, claims);
    this.thresholds.noteReached(sponsor, reached);
    if (watermark !== null) this.guard.remember(sponsor, watermark);
    return results;
  }, MAX_BATCH);

  constructor(
    @Inject(REDIS) private readonly redis: CoinStoreRedis,
    @Inject(COIN_POOL_CONFIG) private readonly settings: CoinPoolConfig,
    private readonly sponsors: RegisteredSponsors,
    private readonly reservations: PoolReservationsService,
    private readonly guard: RestartGuard,
    private readonly inputLocks: InputLocks,
    private readonly quarantines: OtherPoolQuarantines,
    private readonly thresholds: BudgetThresholds,
    private readonly jobs: ExecutionJobs,
  ) {}

  /**
   * Returns once the claim's job is in the queue. Throws RESERVATION_UNKNOWN, RESERVATION_EXPIRED,
   * RESERVATION_USED, INPUT_IN_FLIGHT, QUARANTINE_LIMIT, POOL_REFUSED, OUTCOME_UNKNOWN, STORE_UNREACHABLE.
   */
  async claim(message: ClaimReservationMessage): Promise<ClaimedReservation> {
    const id = String(message.reservationId);
    await this.guard.check();
    const sponsor = await this.sponsors.sponsorOf(message.reservationId);
    this.guard.assertSameConnection();
    if (sponsor === null) throw new ForecourtError('RESERVATION_UNKNOWN', id);
    passFailpoint('coin-pool:before-claim');
    const claim = {
      ...message,
      leaseMs: this.settings.claimLeaseMs,
      quarantinedElsewhere: await this.quarantines.ages(message.caller, sponsor),
    };
    const claimed = await this.inputLocks.around({ ...claim, sponsor }, async (fence) => {
      passFailpoint('coin-pool:after-lock');
      const result = await this.#claims.add(sponsor, { ...claim, fence });
      if (result instanceof Error) throw result;
      return result;
    });
    switch (claimed.result) {
      case 'claimed': {
        passFailpoint('coin-pool:after-claim');
        const { fence } = claimed;
        await this.jobs.add(message, { sponsor, fence });
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

  /**
   * Adds the job of a claim again: the coin-pool that made the claim may have died before it did. Throws
   * OUTCOME_UNKNOWN.
   */
  async enqueueAgain(message: FindReservationMessage): Promise<void> {
    const { found } = await this.reservations.find(message);
    if (found?.state !== 'claimed' || found.digest !== message.digest) return;
    const { sponsor, fence } = found;
    await this.jobs.addAgain(message, { sponsor, fence });
  }
}
