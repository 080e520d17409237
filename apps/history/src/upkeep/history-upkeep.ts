import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import type { RedisConnection } from '@forecourt/runtime/redis';
import {
  type Indicator,
  type Logger,
  LOGGER,
  REDIS,
  RepeatedTask,
  retryUntilAvailable,
  type TaskDescription,
} from '@forecourt/runtime/service';
import { Database, migrate } from '../database/database.js';
import { Webhooks } from '../webhooks/webhooks.js';
import { HistoryWriter } from '../writing/history-writer.js';
import { storeDroppedRefusals } from '../writing/insert-refusals.js';
import { RebuiltWriter } from '../writing/rebuilt-writer.js';
import { RecordedNetwork } from '../writing/recorded-network.js';
import { Retention } from './retention.js';

const SECONDS = 1_000;
const MINUTES = 60 * SECONDS;

/** The work of history besides answering, from the start of the service to its stop. */
@Injectable()
export class HistoryUpkeep implements OnApplicationBootstrap, BeforeApplicationShutdown {
  /** Whether the tables are there. */
  isReady = false;
  readonly #tasks: RepeatedTask[] = [];
  #isStopping = false;
  #prepared: Promise<void> = Promise.resolve();

  constructor(
    private readonly database: Database,
    @Inject(REDIS) private readonly redis: RedisConnection,
    private readonly writer: HistoryWriter,
    private readonly rebuilt: RebuiltWriter,
    private readonly webhooks: Webhooks,
    private readonly retention: Retention,
    private readonly network: RecordedNetwork,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Does not wait for the database: until it answers, the streams keep everything. */
  onApplicationBootstrap(): void {
    this.start({
      name: 'announce that history is kept',
      everyMs: 10 * SECONDS,
      run: () => this.writer.announce(),
    });
    this.#prepared = this.begin();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.#isStopping = true;
    await this.#prepared.catch(() => undefined);
    await Promise.all(this.#tasks.map((task) => task.stop()));
    await this.writer.stop();
    await this.webhooks.stop();
    await this.database.close();
  }

  private async begin(): Promise<void> {
    const { logger } = this;
    const isOutage = () => !this.#isStopping;
    await retryUntilAvailable({ service: 'PostgreSQL', isOutage, logger }, async () => {
      await migrate(this.database);
      await this.retention.prepareDays();
    });
    this.isReady = true;
    if (!this.#isStopping) this.webhooks.start();
    this.start({
      name: 'find the sponsors’ streams',
      everyMs: 5 * SECONDS,
      run: () => this.writer.follow(),
    });
    this.start({
      name: 'record what pools have found on the ledger',
      everyMs: 5 * SECONDS,
      run: () => this.rebuilt.write(),
    });
    this.start({
      name: 'count missing entries',
      everyMs: 10 * SECONDS,
      run: () => this.writer.countMissing(),
    });
    this.start({
      name: 'count dropped refusals',
      everyMs: 10 * SECONDS,
      run: async () => {
        await this.network.requireAll();
        await storeDroppedRefusals(this.redis, this.database);
      },
    });
    this.start({
      name: 'renew the days of history',
      everyMs: 10 * MINUTES,
      run: async () => {
        await this.retention.prepareDays();
        await this.retention.removeExpired();
      },
    });
  }

  private start(task: TaskDescription): void {
    if (this.#isStopping) return;
    const repeated = new RepeatedTask(task, this.logger);
    this.#tasks.push(repeated);
    repeated.start();
  }
}

/** Fails until the tables are there. */
export function tablesIndicator(upkeep: HistoryUpkeep): Indicator {
  return {
    name: 'tables',
    check: async () => {
      if (!upkeep.isReady) throw new Error('the database has not answered yet');
    },
  };
}
