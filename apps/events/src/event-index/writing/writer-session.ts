import { setTimeout as delay } from 'node:timers/promises';
import { setParameters } from '@forecourt/database';
import type { ClientBase } from 'pg';
import type { IndexDatabase } from '../store/index-database.js';
import { INDEX_LOCKS } from '../store/index-locks.js';

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
 * A session of the only process that writes. It holds a lock that ends with it, and everything that is written at the end of the index
 * is written in it: a process that has lost the lock has lost the means to write as well.
 */
export interface WriterSession {
  readonly client: ClientBase;
  /** Aborts when the session has ended. */
  readonly ended: AbortSignal;
}

/**
 * Waits for the lock, runs `work`, and ends the session when `work` or the session ends. Throws the error of `work`; the server's, if
 * it cannot be reached.
 */
export async function holdWriterSession(
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
