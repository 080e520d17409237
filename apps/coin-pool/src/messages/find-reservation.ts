import { Inject, Injectable } from '@nestjs/common';
import { type CoinStoreRedis, findReservation, placementRules } from '@forecourt/coin-store';
import type { FindReservationMessage, FindReservationReply } from '@forecourt/contracts';
import { REDIS } from '@forecourt/runtime/service';
import { COIN_POOL_CONFIG, type CoinPoolConfig } from '../coin-pool-config.js';
import { SponsorDirectory } from '../pool/sponsor-directory.js';

/** Shows a caller the state of its reservation. */
@Injectable()
export class FindReservation {
  constructor(
    @Inject(REDIS) private readonly redis: CoinStoreRedis,
    @Inject(COIN_POOL_CONFIG) private readonly settings: Pick<CoinPoolConfig, 'targetBalance'>,
    private readonly directory: SponsorDirectory,
  ) {}

  async run(message: FindReservationMessage): Promise<FindReservationReply> {
    const sponsor = await this.directory.sponsorOf(message.reservationId);
    if (sponsor === null) return { found: null, everHeld: false };
    const rules = placementRules(this.settings.targetBalance);
    return findReservation(this.redis, sponsor, message, rules);
  }
}
