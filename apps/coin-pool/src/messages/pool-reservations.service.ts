import { Inject, Injectable } from '@nestjs/common';
import {
  type CoinStoreRedis,
  findReservation,
  placementRules,
  readDrain,
  readUsagesFor,
  releaseReservation,
  SponsorDrained,
} from '@forecourt/coin-store';
import {
  type FindReservationMessage,
  type FindReservationReply,
  ForecourtError,
  type ReadUsagesMessage,
  type ReadUsagesReply,
  type ReleaseReservationMessage,
} from '@forecourt/contracts';
import { REDIS } from '@forecourt/runtime/service';
import { COIN_POOL_CONFIG, type CoinPoolConfig } from '../coin-pool-config.js';
import { BudgetThresholds } from '../metrics/budget-thresholds.js';
import { RegisteredSponsors } from '../pool/registered-sponsors.js';
import { RestartGuard } from '../pool/restart-guard.js';
import { SponsorDirectory } from '../pool/sponsor-directory.js';

/** Shows and releases reservations, and shows the counters of limits. */
@Injectable()
export class PoolReservationsService {
  constructor(
    @Inject(REDIS) private readonly redis: CoinStoreRedis,
    @Inject(COIN_POOL_CONFIG) private readonly settings: CoinPoolConfig,
    private readonly registered: RegisteredSponsors,
    private readonly sponsors: SponsorDirectory,
    private readonly guard: RestartGuard,
    private readonly thresholds: BudgetThresholds,
  ) {}

  /**
   * Shows a caller the state of its reservation. Throws POOL_REFUSED while coins are suspended, unless the
   * reservation is bound to the transaction: Redis may have lost that.
   */
  find(message: FindReservationMessage): Promise<FindReservationReply> {
    return this.guard.readCertain(
      () => this.findStored(message),
      ({ found }) => found?.digest === message.digest,
    );
  }

  private async findStored(message: FindReservationMessage): Promise<FindReservationReply> {
    const sponsor = await this.registered.sponsorOf(message.reservationId);
    if (sponsor === null) return { found: null, everHeld: false };
    return findReservation(
      this.redis,
      sponsor,
      message,
      placementRules(this.settings.targetBalance),
    );
  }

  /**
   * Makes the coins of an unused reservation available at once. Throws RESERVATION_UNKNOWN, and POOL_REFUSED
   * while coins are suspended: a transaction may have them.
   */
  async release(message: ReleaseReservationMessage): Promise<void> {
    await this.guard.check();
    const sponsor = await this.registered.sponsorOf(message.reservationId);
    this.guard.assertSameConnection();
    const release = { ...message, retentionMs: this.settings.retentionMs };
    if (sponsor === null || !(await releaseReservation(this.redis, sponsor, release))) {
      throw new ForecourtError('RESERVATION_UNKNOWN', String(message.reservationId));
    }
  }

  /**
   * Shows the counters of limits, and the sponsor that would pay. Throws INVALID_REQUEST, POOL_REFUSED,
   * SPONSOR_DRAINED.
   */
  readUsages(message: ReadUsagesMessage): Promise<ReadUsagesReply> {
    const { sponsor: requestedSponsor, counters, usage = [] } = message;
    return this.sponsors.withSponsor(requestedSponsor, async (sponsor) => {
      const { drain } = await readDrain(this.redis, sponsor);
      if (drain !== null) throw new SponsorDrained(drain);
      const query = { counters, usage };
      const { usages, reached } = await readUsagesFor(this.redis, sponsor, query);
      this.thresholds.noteReached(sponsor, reached);
      return { sponsor, usages };
    });
  }
}
