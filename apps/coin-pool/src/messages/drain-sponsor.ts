import { Inject, Injectable } from '@nestjs/common';
import { type CoinStoreRedis, drainSponsor } from '@forecourt/coin-store';
import type { DrainSponsorMessage } from '@forecourt/contracts';
import { type Logger, LOGGER, REDIS } from '@forecourt/runtime/service';
import { SponsorDirectory } from '../pool/sponsor-directory.js';

/** Stops a sponsor from giving reservations. */
@Injectable()
export class DrainSponsor {
  constructor(
    @Inject(REDIS) private readonly redis: CoinStoreRedis,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'info'>,
    private readonly directory: SponsorDirectory,
  ) {}

  /** Throws INVALID_REQUEST for a sponsor that the fleet does not know. */
  async run({ sponsor, reason, operator }: DrainSponsorMessage): Promise<void> {
    await this.directory.requireKnown(sponsor);
    await drainSponsor(this.redis, sponsor, { reason, by: operator, since: Date.now() });
    this.logger.info({ sponsor, operator, reason }, 'Sponsor drained');
  }
}
