import { setTimeout as delay } from 'node:timers/promises';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import {
  OutageLog,
  type Logger,
  RepeatedTask,
  retryUntilAvailable,
} from '@forecourt/runtime/service';
import type { IndexDatabase } from './store/index-database.js';
import type { IndexPartitions } from './store/index-partitions.js';
import type { Backfill } from './writing/backfill.js';
import type { IndexProgress } from './writing/index-progress.js';
import type { IndexRetention } from './writing/index-retention.js';
import type { LedgerFollower } from './writing/ledger-follower.js';
import { holdWriterSession, type WriterSession } from './writing/writer-session.js';

const RETRY_MS = 500;
const STOP_MS = 2_000;
const RETENTION_EVERY_MS = 600_000;

/** The tasks that the writer runs at the same time. */
export interface IndexWork {
  readonly follower: LedgerFollower;
  readonly backfill: Backfill;
  readonly retention: IndexRetention;
}

/** The work of the index besides answering: one process of the fleet writes, the others wait for its place. */
export class EventIndex implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #stopped = new AbortController();
  #ended: Promise<void> = Promise.resolve();

  constructor(
    private readonly database: IndexDatabase,
    private readonly work: IndexWork,
    private readonly partitions: IndexPartitions,
    private readonly progress: IndexProgress,
    private readonly logger: Logger,
  ) {}

  /** Does not wait for the database. */
  onApplicationBootstrap(): void {
    this.#ended = this.run();
  }

  /** Ends the writer's session, so that another process takes over at once. */
  async beforeApplicationShutdown(): Promise<void> {
    this.#stopped.abort();
    // A node or a database may answer later than the process must end.
    await Promise.race([this.#ended, delay(STOP_MS, undefined, { ref: false })]);
    await Promise.race([this.database.close(), delay(STOP_MS, undefined, { ref: false })]);
  }

  private async run(): Promise<void> {
    const { signal } = this.#stopped;
    const { logger } = this;
    const isOutage = () => !signal.aborted;
    await retryUntilAvailable({ service: 'PostgreSQL', isOutage, logger }, () =>
      signal.aborted ? Promise.resolve() : this.database.migrate(),
    ).catch(() => undefined);
    const failing = new OutageLog(logger, {
      begins: 'The index of events cannot be written',
      goesOn: 'Still the index of events cannot be written',
      ends: 'The index of events can be written again',
    });
    while (!signal.aborted) {
      try {
        await holdWriterSession(this.database, signal, async (session) => {
          failing.end();
          await this.write(session);
        });
      } catch (error) {
        failing.report({ error: (error as Error).message });
      }
      await delay(RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  private async write(session: WriterSession): Promise<void> {
    const { logger, progress } = this;
    logger.info({}, 'This process writes the index of events');
    progress.isWriter = true;
    this.partitions.forget();
    const done = new AbortController();
    const signal = AbortSignal.any([this.#stopped.signal, session.ended, done.signal]);
    const retention = new RepeatedTask(
      {
        name: 'remove the oldest events of the index',
        everyMs: RETENTION_EVERY_MS,
        run: () => this.work.retention.run(),
      },
      logger,
    );
    retention.start();
    const filled = this.work.backfill.run(signal);
    try {
      await this.work.follower.follow(session, this.#stopped.signal);
    } finally {
      progress.isWriter = false;
      progress.pending = () => false;
      done.abort();
      await Promise.all([filled, retention.stop()]);
    }
  }
}
