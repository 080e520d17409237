import { Inject, Injectable } from '@nestjs/common';
import { type CoinStoreRedis, PoolTooNew, requireReadablePool } from '@forecourt/coin-store';
import { createLocalSigner } from '@forecourt/ledger';
import { type Logger, LOGGER, REDIS, retryUntilAvailable } from '@forecourt/runtime/service';
import { EXECUTOR_CONFIG, type ExecutorConfig } from '../executor-config.js';

/** Whether this release reads the form in which the sponsors' pools are stored. */
@Injectable()
export class ReadablePools {
  constructor(
    @Inject(EXECUTOR_CONFIG) private readonly settings: Pick<ExecutorConfig, 'sponsorKeys'>,
    @Inject(REDIS) private readonly redis: CoinStoreRedis,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Resolves once all are known to be readable; waits for Redis. Throws `PoolTooNew`. */
  async untilKnownReadable(): Promise<void> {
    const { redis, logger, settings } = this;
    const isOutage = (error: unknown) => !(error instanceof PoolTooNew);
    for (const key of settings.sponsorKeys) {
      const { address } = createLocalSigner(key);
      await retryUntilAvailable({ service: 'Redis', isOutage, logger }, () =>
        requireReadablePool(redis, address),
      );
    }
  }
}
