import { Inject, Injectable } from '@nestjs/common';
import { type CoinStoreRedis, inspectPool, listSponsors } from '@forecourt/coin-store';
import type { InspectedPool, InspectPoolsMessage, InspectPoolsReply } from '@forecourt/contracts';
import { REDIS } from '@forecourt/runtime/service';

/** Shows every pool in Redis, also those of sponsors whose key is no longer configured. */
@Injectable()
export class InspectPools {
  /** Keyed by the number of listed transactions: concurrent requests for the same number share the answer. */
  readonly #running = new Map<number, Promise<InspectPoolsReply>>();

  constructor(@Inject(REDIS) private readonly redis: CoinStoreRedis) {}

  run({ listed }: InspectPoolsMessage): Promise<InspectPoolsReply> {
    const running = this.#running.get(listed) ?? this.inspect(listed);
    this.#running.set(listed, running);
    return running;
  }

  /** One pool after the other, so that other scripts run in between. */
  private async inspect(listed: number): Promise<InspectPoolsReply> {
    try {
      const pools: InspectedPool[] = [];
      for (const sponsor of (await listSponsors(this.redis)).values()) {
        pools.push(await inspectPool(this.redis, sponsor, listed));
      }
      return { pools };
    } finally {
      this.#running.delete(listed);
    }
  }
}
