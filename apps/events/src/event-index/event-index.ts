import { setTimeout as delay } from 'node:timers/promises';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import {
  OutageLog,
  type Logger,
  RepeatedTask,
  retryUntilAvailable,
} from '@forecourt/runtime/service';
import { setParameters } from '@forecourt/postgres/database';
import { onTicks } from '@forecourt/resilience';
import type { ClientBase } from 'pg';
import { type IndexDatabase, INDEX_LOCKS } from './store/index-database.js';
import type { IndexPartitions } from './store/index-partitions.js';
import type { Backfill } from './writing/backfill.js';
import type { IndexProgress } from './writing/index-progress.js';
import type { LedgerFollower, WriterSession } from './writing/ledger-follower.js';
import { IndexRetention } from './index-retention.js';

const RETRY_MS = 500;
const STOP_MS = 2_000;
const RETENTION_EVERY_MS = 600_000;

/**
 * The work of the index besides answering: one process of the fleet writes, the others wait for its place.
 */
export class EventIndex implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #stopped = new AbortController();
  #ended: Promise<void> = Promise.resolve();

  constructor(
    private readonly database: IndexDatabase,
    private readonly follower: LedgerFollower,
    private readonly backfill: Backfill,
    private readonly retention: IndexRetention,
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
    const removing = new RepeatedTask(
      {
        name: 'remove the oldest events of the index',
        everyMs: RETENTION_EVERY_MS,
        run: () => this.retention.run(),
      },
      logger,
    );
    removing.start();
    const filled = this.backfill.run(signal);
    try {
      await this.follower.follow(session, this.#stopped.signal);
    } finally {
      progress.isWriter = false;
      progress.pending = () => false;
      done.abort();
      await Promise.all([filled, removing.stop()]);
    }
  }
}

/** How often a process that does not write asks whether it can. */
const ASK_EVERY_MS = 1_000;
/** How often an idle writer makes sure that its session is alive. */
const CHECK_EVERY_MS = 2_000;
/** A statement that takes longer ends the session. */
const QUERY_MS = 30_000;
/** Lets the server notice within five seconds that the writer's machine is gone, and release the lock. */
const SETTINGS = {
  jit: 'off',
  tcp_keepalives_idle: '2',
  tcp_keepalives_interval: '1',
  tcp_keepalives_count: '3',
  idle_in_transaction_session_timeout: '10s',
};

/**
 * Waits for the lock, runs `work`, and ends the session when `work` or the session ends. Throws the error of
 * `work`; the server's, if it cannot be reached.
 */
async function holdWriterSession(
  database: IndexDatabase,
  signal: AbortSignal,
  work: (session: WriterSession) => Promise<void>,
): Promise<void> {
  const client = database.createSession(QUERY_MS);
  const ended = new AbortController();
  const end = (error?: Error) => ended.abort(error ?? new Error('The session has ended'));
  client.on('error', end);
  client.on('end', () => end());
  try {
    await client.connect();
    await setParameters(client, SETTINGS);
    if (!(await obtainLock(client, signal))) return;
    const stopChecking = onTicks(CHECK_EVERY_MS, () => {
      client.query('SELECT 1').catch(end);
    });
    try {
      await work({ client, ended: ended.signal });
    } finally {
      stopChecking();
    }
  } finally {
    // Not `end`, which would wait for a statement that hangs.
    client.end().catch(() => undefined);
  }
}

/** False: `signal` has aborted. */
async function obtainLock(client: ClientBase, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    const { rows } = await client.query<{ isHeld: boolean }>(
      'SELECT pg_try_advisory_lock($1, $2) AS "isHeld"',
      [...INDEX_LOCKS.writer],
    );
    if (rows[0]!.isHeld) return true;
    await delay(ASK_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
  return false;
}
