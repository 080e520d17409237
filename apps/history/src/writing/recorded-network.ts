import { Inject, Injectable } from '@nestjs/common';
import {
  type CoinStoreRedis,
  historyStreamKey,
  listSponsors,
  readNetwork,
} from '@forecourt/coin-store';
import { type Indicator, REDIS } from '@forecourt/runtime/service';
import { Database } from '../database/database.js';

/** A pool belongs to another network than the records. */
class OtherNetwork extends Error {
  override readonly name = 'OtherNetwork';

  constructor(sponsor: string, belongsTo: string, recorded: string) {
    super(
      `The pool of sponsor ${sponsor} belongs to network ${belongsTo}, but the database holds the history of network ${recorded}; ` +
        'its sponsorships wait in Redis. Point DATABASE_URL at a database for the history of the pool’s network, or REDIS_URL at the Redis of the other one.',
    );
  }
}

/** The network whose history the database holds: that of the first sponsorship. */
@Injectable()
export class RecordedNetwork {
  #chain: string | null = null;

  constructor(
    @Inject(REDIS) private readonly redis: CoinStoreRedis,
    private readonly database: Database,
  ) {}

  /**
   * Before sponsorships of a pool are written. Throws `OtherNetwork` if it belongs to another network;
   * rejects when Redis or the database does not answer.
   */
  async require(sponsor: string): Promise<void> {
    const chain = await readNetwork(this.redis, [sponsor]);
    if (chain === null) return;
    if ((await this.read()) === null) {
      await this.database.pool.query('INSERT INTO network VALUES ($1) ON CONFLICT DO NOTHING', [
        chain,
      ]);
    }
    const recorded = await this.read();
    if (recorded !== chain) throw new OtherNetwork(sponsor, chain, recorded!);
  }

  /** The same for every pool whose sponsorships wait to be written. */
  async requireAll(): Promise<void> {
    for (const sponsor of (await listSponsors(this.redis)).values()) {
      if ((await this.redis.xlen(historyStreamKey(sponsor))) > 0) await this.require(sponsor);
    }
  }

  /** Whether the database holds sponsorships of the pool's network; true for a pool without a network. */
  async holds(sponsor: string): Promise<boolean> {
    const chain = await readNetwork(this.redis, [sponsor]);
    return chain === null || chain === (await this.read());
  }

  /** Null: there is no sponsorship yet. */
  private async read(): Promise<string | null> {
    if (this.#chain === null) {
      const { rows } = await this.database.pool.query<{ chain: string }>(
        'SELECT chain FROM network',
      );
      this.#chain = rows[0]?.chain ?? null;
    }
    return this.#chain;
  }
}

/** Whether everything that waits to be written belongs to the network of the records. */
export function networkIndicator(network: RecordedNetwork): Indicator {
  return { name: 'network', check: () => network.requireAll() };
}
