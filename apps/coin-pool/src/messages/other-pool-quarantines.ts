import { Inject, Injectable } from '@nestjs/common';
import { type CoinStoreRedis, listQuarantines } from '@forecourt/coin-store';
import { rememberAnswer } from '@forecourt/resilience';
import { REDIS } from '@forecourt/runtime/service';
import { PoolState } from '../pool/pool-state.js';

/**
 * Longest age of the figures of other pools: quarantines count long after their transactions were claimed.
 */
const QUARANTINES_AGE_MS = 1_000;

/** Quarantines of callers in all pools, so that the limit on them is one for the fleet. */
@Injectable()
export class OtherPoolQuarantines {
  readonly #byPool = rememberAnswer(() => this.read(), QUARANTINES_AGE_MS);

  constructor(
    @Inject(REDIS) private readonly redis: CoinStoreRedis,
    private readonly state: PoolState,
  ) {}

  /**
   * How long ago those of a caller began that are in other pools than this, in ms. Throws what Redis throws.
   */
  async ages(caller: string, sponsor: string): Promise<number[]> {
    if (this.state.sponsors.size < 2) return [];
    return [...(await this.#byPool())].flatMap(([pool, quarantines]) =>
      pool === sponsor ? [] : (quarantines.get(caller) ?? []),
    );
  }

  private async read() {
    const read = async (pool: string) => [pool, await listQuarantines(this.redis, pool)] as const;
    return new Map(await Promise.all([...this.state.sponsors].map(read)));
  }
}
