import { type CoinStoreRedis, listSponsors, sponsorIndexOf } from '@forecourt/coin-store';
import { ForecourtError } from '@forecourt/contracts';
import type { Signers } from '@forecourt/runtime/signers';
import type { CoinPoolConfig } from '../coin-pool-config.js';

/**
 * Finds the sponsors of the fleet, and the addresses that may receive their funds. A sponsor's index is cached until the connection breaks: it never changes,
 * but a Redis that comes back empty may assign another.
 */
export class SponsorDirectory {
  private known = new Map<number, string>();

  constructor(
    private readonly redis: CoinStoreRedis,
    private readonly signers: Pick<Signers, 'isConfigured'>,
    private readonly settings: Pick<CoinPoolConfig, 'withdrawAddresses'>,
  ) {
    redis.on('close', () => {
      this.known = new Map();
    });
  }

  /** The sponsor whose pool made this id, or null when there is none. */
  async sponsorOf(reservationId: number): Promise<string | null> {
    const index = sponsorIndexOf(reservationId);
    if (!this.known.has(index)) this.known = await listSponsors(this.redis);
    return this.known.get(index) ?? null;
  }

  /** Throws INVALID_REQUEST for an address that is not that of a sponsor in full form. */
  async requireKnown(sponsor: string): Promise<void> {
    if ([...this.known.values()].includes(sponsor)) return;
    this.known = await listSponsors(this.redis);
    if ([...this.known.values()].includes(sponsor)) return;
    throw new ForecourtError('INVALID_REQUEST', `${sponsor} is not a sponsor of this fleet`);
  }

  /**
   * Whether funds may be sent to an address: the configuration names it, or it is a sponsor whose key is configured.
   */
  mayReceive(address: string): boolean {
    return this.settings.withdrawAddresses.includes(address) || this.signers.isConfigured(address);
  }
}
