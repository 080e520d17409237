import { Inject, Injectable } from '@nestjs/common';
import { type CoinStoreRedis, PoolTooNew, requireReadablePool } from '@forecourt/coin-store';
import { type Logger, LOGGER, REDIS, retryUntilAvailable } from '@forecourt/runtime/service';
import { Signers } from '@forecourt/runtime/signers';

/** Checks that this release reads the stored version of the sponsors' pools. */
@Injectable()
export class ReadablePools {
  constructor(
    private readonly signers: Signers,
    @Inject(REDIS) private readonly redis: CoinStoreRedis,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Resolves once all are known to be readable; waits for Redis. Throws `PoolTooNew`. */
  async untilKnownReadable(): Promise<void> {
    const { redis, logger, signers } = this;
    const isOutage = (error: unknown) => !(error instanceof PoolTooNew);
    for (const { address } of signers.configured) {
      await retryUntilAvailable({ service: 'Redis', isOutage, logger }, () =>
        requireReadablePool(redis, address),
      );
    }
  }
}
