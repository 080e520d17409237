import { Inject, Injectable } from '@nestjs/common';
import { CoinPoolClient } from './coin-pool-client.js';

const ASK_EVERY_MS = 1_000;

/** The network that the fleet's pools belong to, as a coin-pool says. */
@Injectable()
export class NetworkOfPools {
  #latest: { readonly network: Promise<string | null>; readonly askedAt: number } | null = null;

  constructor(
    @Inject(CoinPoolClient) private readonly coinPool: Pick<CoinPoolClient, 'listSponsors'>,
  ) {}

  /** Null while no coin-pool says, which is asked once a second at most: reads of the ledger need none. */
  find(): Promise<string | null> {
    const now = performance.now();
    if (this.#latest === null || now - this.#latest.askedAt >= ASK_EVERY_MS) {
      const network = this.coinPool.listSponsors().then(
        (reply) => reply.network ?? null,
        () => null,
      );
      this.#latest = { network, askedAt: now };
    }
    return this.#latest.network;
  }
}
