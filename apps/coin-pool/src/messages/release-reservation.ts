import { Inject, Injectable } from '@nestjs/common';
import { type CoinStoreRedis, releaseReservation } from '@forecourt/coin-store';
import { ForecourtError, type ReleaseReservationMessage } from '@forecourt/contracts';
import { REDIS } from '@forecourt/runtime/service';
import { COIN_POOL_CONFIG, type CoinPoolConfig } from '../coin-pool-config.js';
import { SponsorDirectory } from '../pool/sponsor-directory.js';

/** Makes the coins of an unused reservation available at once. */
@Injectable()
export class ReleaseReservation {
  constructor(
    @Inject(REDIS) private readonly redis: CoinStoreRedis,
    @Inject(COIN_POOL_CONFIG) private readonly settings: Pick<CoinPoolConfig, 'retentionMs'>,
    private readonly directory: SponsorDirectory,
  ) {}

  /** Throws RESERVATION_UNKNOWN. */
  async run(message: ReleaseReservationMessage): Promise<void> {
    const sponsor = await this.directory.sponsorOf(message.reservationId);
    const release = { ...message, retentionMs: this.settings.retentionMs };
    if (sponsor === null || !(await releaseReservation(this.redis, sponsor, release))) {
      throw new ForecourtError('RESERVATION_UNKNOWN', String(message.reservationId));
    }
  }
}
