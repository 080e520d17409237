import { setTimeout as delay } from 'node:timers/promises';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import {
  OutageLog,
  type Logger,
  RepeatedTask,
  retryUntilAvailable,
} from '@forecourt/runtime/service';
import { setParameters } from '@forecourt/postgres/database';
import type { ClientBase } from 'pg';
import { type IndexDatabase, INDEX_LOCKS } from './store/index-database.js';
import {
  type IndexPartitions,
  PARTITION_SPAN,
  partitionOf,
  CHECKPOINT_KEY,
  recordOf,
  selectEventsAt,
  selectPositions,
} from './store/index-rows.js';
import type { Backfill } from './writing/backfill.js';
import type { IndexProgress } from './writing/index-progress.js';
import type { LedgerFollower, WriterSession } from './writing/ledger-follower.js';
import { eventAt, type Place, placeAfter, readLedger } from './store/indexed-ledger.js';

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
    const checking = setInterval(() => {
      client.query('SELECT 1').catch(end);
    }, CHECK_EVERY_MS);
    try {
      await work({ client, ended: ended.signal });
    } finally {
      clearInterval(checking);
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

const DAY_MS = 86_400_000;
/** Readers that know the former beginning have read its rows long before. */
const GRACE = '2 minutes';

/**
 * Removes the oldest events, a partition at a time: first the index begins later, then its former partitions
 * are dropped.
 */
export class IndexRetention {
  constructor(
    private readonly database: IndexDatabase,
    private readonly partitions: IndexPartitions,
    private readonly days: number,
  ) {}

  /** Rejects when the database does not answer, or tables are locked. */
  async run(now = Date.now()): Promise<void> {
    await this.dropPartitions();
    if (this.days > 0) await this.raiseFirst(now - this.days * DAY_MS);
  }

  private async dropPartitions(): Promise<void> {
    const { pool } = this.database.primary;
    const { rows } = await pool.query<{ first: number }>(
      `SELECT first_position AS first FROM events.ledger WHERE first_raised_at < now() - interval '${GRACE}'`,
    );
    if (rows[0] === undefined) return;
    const { first } = rows[0];
    for (const partition of await this.partitions.list()) {
      if ((partition + 1) * PARTITION_SPAN <= first) await this.partitions.drop(partition);
    }
    await pool.query('DELETE FROM events.marks WHERE position < $1', [first]);
    await pool.query('DELETE FROM events.empty_checkpoints WHERE tx_seq < $1', [
      eventAt(first).txSeq,
    ]);
  }

  /** Lets the index begin with the partition that contains a time. */
  private async raiseFirst(time: number): Promise<void> {
    const { pool } = this.database.primary;
    const ledger = await readLedger(pool);
    const { rows } = await pool.query<{ position: number }>(
      'SELECT position FROM events.marks WHERE at < $1 ORDER BY at DESC, position DESC LIMIT 1',
      [time],
    );
    if (ledger === null || rows[0] === undefined) return;
    const low = partitionOf(rows[0].position) * PARTITION_SPAN;
    if (low <= ledger.first.position) return;
    const first = await this.findCheckpoint(low, ledger.end);
    if (first !== null) await this.begin(first);
  }

  /** The first place in the partition: after the checkpoint that ends first in it. */
  private async findCheckpoint(low: number, end: Place): Promise<Place | null> {
    const { pool } = this.database.primary;
    const query = { low, high: end.position, descending: false, limit: 1 };
    const positions = await selectPositions(pool, CHECKPOINT_KEY, query);
    const [row] = await selectEventsAt(pool, positions, false);
    if (row === undefined) return null;
    const record = recordOf(row);
    return 'checkpoint' in record.event ? placeAfter(record, record.event.checkpoint) : null;
  }

  private async begin({ checkpoint, position }: Place): Promise<void> {
    await this.database.primary.transaction(async (client) => {
      await client.query('DELETE FROM events.holes WHERE end_position <= $1', [position]);
      await client.query(
        'UPDATE events.holes SET first_checkpoint = $1, first_position = $2 WHERE first_position < $2',
        [checkpoint, position],
      );
      await client.query(
        `UPDATE events.ledger SET first_checkpoint = $1, first_position = $2, first_raised_at = now()
         WHERE first_position < $2`,
        [checkpoint, position],
      );
    });
  }
}
