import {
  type CheckpointRange,
  type EventsIndex,
  type EventsIndexHole,
  ForecourtError,
} from '@forecourt/contracts';
import type { Pool } from 'pg';
import { type EventSource, isOtherLedger } from '../upstreams/event-source.js';
import { UnsupportedByUpstream } from '../upstreams/unsupported-by-upstream.js';
import { InvalidReply } from '../upstreams/invalid-reply.js';
import { UpstreamFailed } from '../upstreams/upstream-failed.js';
import { type IndexDatabase, INDEX_LOCKS, WRITER_PREFIX } from './store/index-database.js';
import {
  type IndexedLedger,
  readLedger,
  measureBytes,
  measureIndex,
} from './store/indexed-ledger.js';
import { placeOf, IndexSources } from './writing/index-sources.js';
import type { IndexWriter } from './writing/index-writer.js';

/** Requests of operators about the index, at any replica: the one that writes does the work. */
export class IndexRequests {
  constructor(
    private readonly database: IndexDatabase,
    private readonly nodes: readonly EventSource[],
    private readonly writer: IndexWriter,
    private readonly backfillWorkers: number,
  ) {}

  /** Rejects when the database does not answer. */
  read(): Promise<EventsIndex> {
    return readIndexState(this.database.primary.pool, this.nodes);
  }

  /**
   * Lets the holes of a range be read now; a range before the index becomes a part of it. Throws
   * INVALID_REQUEST, LEDGER_UNREACHABLE; rejects when the database does not answer.
   */
  async backfill(range: CheckpointRange): Promise<EventsIndex> {
    const { pool } = this.database.primary;
    const ledger = await readLedger(pool);
    requireRange(range, ledger);
    if (this.backfillWorkers === 0) throw refused('EVENTS_INDEX_BACKFILL is 0');
    if (range.first_checkpoint < ledger.first.checkpoint) await this.extend(range, ledger);
    await pool.query(
      'UPDATE events.holes SET retry_at = now() WHERE first_checkpoint <= $2 AND end_checkpoint > $1',
      [range.first_checkpoint, range.last_checkpoint],
    );
    return this.read();
  }

  private async extend({ first_checkpoint }: CheckpointRange, { first, identity }: IndexedLedger) {
    // A replica that does not write has not compared its nodes with the index.
    const sources = new IndexSources(this.nodes, () => identity);
    const begin = await sources
      .ask((source) => placeOf(source, first_checkpoint))
      .catch((error: unknown) => {
        throw refusedByNodes(error);
      });
    if (begin.position < first.position) await this.writer.extend(begin, first);
  }
}

const LISTED_HOLES = 100;

/** The index as operators see it. Rejects when the database does not answer. */
async function readIndexState(pool: Pool, nodes: readonly EventSource[]): Promise<EventsIndex> {
  const ledger = await readLedger(pool);
  const [holes, { missing }, bytes, writer, { node_checkpoint, other_ledger_nodes }] =
    await Promise.all([
      listHoles(pool),
      measureIndex(pool),
      measureBytes(pool),
      readWriter(pool),
      examine(nodes, ledger),
    ]);
  const last_checkpoint = ledger && ledger.end.checkpoint - 1;
  return {
    first_checkpoint: ledger && ledger.first.checkpoint,
    last_checkpoint,
    first_cursor: ledger && ledger.first.position,
    end_cursor: ledger && ledger.end.position,
    last_at: ledger && ledger.endAt,
    node_checkpoint,
    lag_checkpoints:
      last_checkpoint === null || node_checkpoint === null
        ? null
        : Math.max(0, node_checkpoint - last_checkpoint),
    missing_checkpoints: Object.values(missing).reduce((sum, count) => sum + count, 0),
    holes,
    bytes,
    writer,
    other_ledger_nodes,
  };
}

/**
 * The newest checkpoint of the nodes that serve the ledger of the index, and those that serve another one.
 */
async function examine(nodes: readonly EventSource[], ledger: IndexedLedger | null) {
  const latest: number[] = [];
  const other_ledger_nodes: string[] = [];
  const examineOne = async (node: EventSource) => {
    const identity = await node.ledgerIdentity();
    if (ledger !== null && isOtherLedger(ledger.identity, identity)) {
      other_ledger_nodes.push(node.name);
      return;
    }
    const checkpoint = await node.latestCheckpoint();
    if (checkpoint !== null) latest.push(checkpoint);
  };
  await Promise.allSettled(nodes.map(examineOne));
  return { node_checkpoint: latest.length === 0 ? null : Math.max(...latest), other_ledger_nodes };
}

async function listHoles(pool: Pool): Promise<readonly EventsIndexHole[]> {
  const { rows } = await pool.query<EventsIndexHole>(
    `SELECT first_checkpoint, end_checkpoint - 1 AS last_checkpoint, reason, detail, attempts,
       ceil(greatest(0, extract(epoch FROM retry_at - now())))::integer AS retry_secs
     FROM events.holes ORDER BY first_position DESC LIMIT $1`,
    [LISTED_HOLES],
  );
  return rows;
}

/** The replica whose session holds the writer's lock. */
async function readWriter(pool: Pool): Promise<string | null> {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT application_name AS name FROM pg_locks JOIN pg_stat_activity USING (pid)
     WHERE locktype = 'advisory' AND pg_locks.granted AND classid = $1 AND objid = $2
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    [...INDEX_LOCKS.writer],
  );
  return rows[0]?.name.slice(WRITER_PREFIX.length) ?? null;
}

/** Throws INVALID_REQUEST unless the range ends where the index has begun to hold something. */
function requireRange(
  { first_checkpoint: first, last_checkpoint: last }: CheckpointRange,
  ledger: IndexedLedger | null,
): asserts ledger is IndexedLedger {
  if (ledger === null) throw refused('the index of events has not begun yet');
  if (last < first) throw refused(`last_checkpoint must be at least first_checkpoint, ${first}`);
  const newest = ledger.end.checkpoint - 1;
  if (last > newest) throw refused(`the index ends with checkpoint ${newest}`);
}

function refused(why: string): ForecourtError {
  return new ForecourtError('INVALID_REQUEST', why);
}

/** The error for an operator when nodes fail or lack something. */
function refusedByNodes(error: unknown): unknown {
  if (error instanceof UnsupportedByUpstream) return refused(error.message);
  if (!(error instanceof UpstreamFailed)) return error;
  const isInvalid = error instanceof InvalidReply;
  const code = isInvalid ? 'LEDGER_ANSWER_INVALID' : 'LEDGER_UNREACHABLE';
  return new ForecourtError(code, '', { cause: error });
}
