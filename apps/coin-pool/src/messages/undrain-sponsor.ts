import { Inject, Injectable } from '@nestjs/common';
import { type CoinStoreRedis, undrainSponsor } from '@forecourt/coin-store';
import type { UndrainSponsorMessage } from '@forecourt/contracts';
import { type Logger, LOGGER, REDIS } from '@forecourt/runtime/service';
import { SponsorDirectory } from '../pool/sponsor-directory.js';

/** Lets a drained sponsor give reservations again. */
@Injectable()
export class UndrainSponsor {
  constructor(
    @Inject(REDIS) private readonly redis: CoinStoreRedis,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'info'>,
    private readonly directory: SponsorDirectory,
  ) {}

  /** Throws INVALID_REQUEST for a sponsor that the fleet does not know. */
  async run({ sponsor }: UndrainSponsorMessage): Promise<void> {
    await this.directory.requireKnown(sponsor);
    if (await undrainSponsor(this.redis, sponsor)) {
      this.logger.info({ sponsor }, 'Sponsor no longer drained');
    }
  }
}
