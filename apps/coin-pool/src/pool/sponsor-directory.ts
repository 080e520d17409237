import { Inject, Injectable } from '@nestjs/common';
import { type CoinStoreRedis, listSponsors, sponsorIndexOf } from '@forecourt/coin-store';
import { REDIS } from '@forecourt/runtime/service';

/** Finds the sponsor of a reservation id. A sponsor's index never changes, so it is cached. */
@Injectable()
export class SponsorDirectory {
  private known = new Map<number, string>();

  constructor(@Inject(REDIS) private readonly redis: CoinStoreRedis) {}

  /** The sponsor whose pool made this id, or null when there is none. */
  async sponsorOf(reservationId: number): Promise<string | null> {
    const index = sponsorIndexOf(reservationId);
    if (!this.known.has(index)) this.known = await listSponsors(this.redis);
    return this.known.get(index) ?? null;
  }
}
