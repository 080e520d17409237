import { type CoinStoreRedis, listSponsors, sponsorIndexOf } from '@forecourt/coin-store';

/** Leads from a reservation id to its sponsor. Indexes never change, so what is known is kept. */
export class SponsorDirectory {
  private known = new Map<number, string>();

  constructor(private readonly redis: CoinStoreRedis) {}

  /** The sponsor whose pool made this id, or null when there is none. */
  async sponsorOf(reservationId: number): Promise<string | null> {
    const index = sponsorIndexOf(reservationId);
    if (!this.known.has(index)) this.known = await listSponsors(this.redis);
    return this.known.get(index) ?? null;
  }
}
