import { Inject, Injectable } from '@nestjs/common';
import { type CoinStoreRedis, listSponsors, sponsorIndexOf } from '@forecourt/coin-store';
import { ForecourtError } from '@forecourt/contracts';
import { REDIS } from '@forecourt/runtime/service';

/**
 * The sponsors of the fleet by their index in Redis. It is cached until the connection breaks: it never
 * changes, but a Redis that comes back empty may assign another.
 */
@Injectable()
export class RegisteredSponsors {
  #known = new Map<number, string>();

  constructor(@Inject(REDIS) private readonly redis: CoinStoreRedis) {
    redis.on('close', () => {
      this.#known = new Map();
    });
  }

  /** The sponsor whose pool made this id, or null when there is none. */
  async sponsorOf(reservationId: number): Promise<string | null> {
    const index = sponsorIndexOf(reservationId);
    if (!this.#known.has(index)) this.#known = await listSponsors(this.redis);
    return this.#known.get(index) ?? null;
  }

  /** Throws INVALID_REQUEST for an address that is not that of a sponsor in full form. */
  async requireKnown(sponsor: string): Promise<void> {
    if ([...this.#known.values()].includes(sponsor)) return;
    this.#known = await listSponsors(this.redis);
    if ([...this.#known.values()].includes(sponsor)) return;
    throw new ForecourtError('INVALID_REQUEST', `${sponsor} is not a sponsor of this gas station`);
  }
}
