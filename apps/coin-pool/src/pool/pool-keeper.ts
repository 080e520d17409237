import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { inspectRedis } from '@forecourt/runtime/service';
import { MessagesInFlight } from '../messages/messages-in-flight.js';
import { LeadPool } from '../sweeping/lead-pool.js';
import { openPools } from './open-pools.js';
import type { PoolParts } from './pool-parts.js';
import { POOL_PARTS } from './pool-parts.token.js';
import { untilRedisAnswers } from './until-redis-answers.js';

/** Opens the pools once Redis and the ledger answer, and keeps them in order while the service runs. */
@Injectable()
export class PoolKeeper implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private leaders: LeadPool[] = [];

  constructor(
    @Inject(POOL_PARTS) private readonly parts: PoolParts,
    private readonly messages: MessagesInFlight,
  ) {}

  onApplicationBootstrap(): void {
    this.open().catch((error: unknown) => {
      this.parts.logger.error(
        { error: error instanceof Error ? error.message : error },
        'the pool cannot be opened',
      );
      process.exit(1);
    });
  }

  private async open(): Promise<void> {
    const { redis, logger, signers, gate } = this.parts;
    const { warnings, ...durability } = await untilRedisAnswers(() => inspectRedis(redis), logger);
    logger.info({ ...durability }, 'Redis found');
    for (const warning of warnings) logger.warn(warning);
    await untilRedisAnswers(() => openPools(this.parts), logger);
    // Met before anything is handed out; where coins are held back, the leader ends that.
    await gate.pass().catch((error: unknown) => logger.warn({ error: String(error) }, 'not yet'));
    this.leaders = signers.map(({ address }) => new LeadPool(this.parts, address));
    for (const leader of this.leaders) leader.start();
    this.parts.state.opened = true;
  }

  /** Gateways are served until everything else has ended. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.leaders.map((leader) => leader.stop()));
    await this.messages.finish();
  }
}
