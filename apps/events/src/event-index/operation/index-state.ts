import type { EventsIndex, EventsIndexHole } from '@forecourt/contracts';
import type { Pool } from 'pg';
import type { EventSource } from '../../upstreams/event-source.js';
import { isOtherLedger } from '../../upstreams/ledger-identity.js';
import { INDEX_LOCKS } from '../store/index-locks.js';
import { type IndexedLedger, readLedger } from '../store/indexed-ledger.js';
import { measureBytes, measureIndex } from '../store/measure-index.js';
import { WRITER_PREFIX } from '../store/index-database.js';

const LISTED_HOLES = 100;

/** The index as operators see it. Rejects when the database does not answer. */
export async function readIndexState(
  pool: Pool,
  nodes: readonly EventSource[],
): Promise<EventsIndex> {
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

/** The newest checkpoint of the nodes that serve the ledger of the index, and those that serve another one. */
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
