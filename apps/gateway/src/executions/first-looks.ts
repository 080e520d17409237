import { Inject, Injectable } from '@nestjs/common';
import type { RedisConnection } from '@forecourt/runtime/redis';
import { REDIS } from '@forecourt/runtime/service';

/** Repeats of a call that come later begin anew. */
const KEPT_MS = 120_000;

const keyOf = (digest: string) => `fc:first-look:${digest}`;

/**
 * Since when inputs of transactions are undecided, for the whole fleet: a call that is repeated may reach another gateway.
 * Times are the ledger's. While Redis does not answer nothing is known, so that no transaction is refused for it.
 */
@Injectable()
export class FirstLooks {
  constructor(@Inject(REDIS) private readonly redis: RedisConnection) {}

  /** Null: they were not looked at, or have been decided. */
  async find(digest: string): Promise<number | null> {
    const time = await this.redis.get(keyOf(digest)).catch(() => null);
    return time === null ? null : Number(time);
  }

  /** Returns the time that was remembered first, and whether this call has remembered it. */
  async remember(digest: string, time: number): Promise<{ since: number; isNew: boolean }> {
    const set = await this.redis
      .set(keyOf(digest), String(time), 'PX', KEPT_MS, 'NX')
      .catch(() => 'failed');
    if (set === 'OK') return { since: time, isNew: true };
    return { since: (await this.find(digest)) ?? time, isNew: false };
  }

  /** Whether this call has ended it. */
  async forget(digest: string): Promise<boolean> {
    return (await this.redis.del(keyOf(digest)).catch(() => 0)) === 1;
  }
}
