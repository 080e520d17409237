import type { ClientBase, Pool } from 'pg';
import {
  type EventId,
  EVENTS_PER_TRANSACTION,
  readCursor,
  type StoredEventRecord,
  writeCursor,
} from '@forecourt/contracts';
import type { LedgerIdentity } from '../../upstreams/event-source.js';
import type { SealedCheckpoint } from '../../upstreams/sealed-checkpoint.js';

/** The extent of the index: everything from `first` up to `end`, except for holes. */
export interface IndexedLedger {
  readonly identity: LedgerIdentity;
  readonly first: Place;
  readonly end: Place;
  /** Time of the last checkpoint, in ms; null before the first. */
  readonly endAt: number | null;
  /** Grows whenever events are added. */
  readonly changes: number;
  /**
   * The last checkpoint that was written as the continuation of the one before it; null: none, or it is not
   * known.
   */
  readonly linked: Pick<SealedCheckpoint, 'digest' | 'number'> | null;
}

interface LedgerRow {
  readonly chain_identifier: string | null;
  readonly genesis_transaction: string | null;
  readonly first_checkpoint: number;
  readonly first_position: number;
  readonly end_checkpoint: number;
  readonly end_position: number;
  readonly end_at: number | null;
  readonly changes: number;
  readonly linked_checkpoint: number | null;
  readonly linked_digest: string | null;
}

interface HoleRow {
  readonly hole_first_checkpoint: number | null;
  readonly hole_first_position: number;
  readonly hole_end_checkpoint: number;
  readonly hole_end_position: number;
  readonly reason: HoleReason;
  readonly detail: string;
  readonly attempts: number;
}

const LEDGER = `l.chain_identifier, l.genesis_transaction, l.first_checkpoint, l.first_position, l.end_checkpoint,
  l.end_position, l.end_at, l.changes, l.linked_checkpoint, l.linked_digest`;
const HOLE = `h.first_checkpoint AS hole_first_checkpoint, h.first_position AS hole_first_position,
  h.end_checkpoint AS hole_end_checkpoint, h.end_position AS hole_end_position, h.reason, h.detail, h.attempts`;

/** The last checkpoint of the index, which the next one must continue; null: it is not known. */
export function sealedEnd({ end, linked }: IndexedLedger): SealedCheckpoint | null {
  if (linked?.number !== end.checkpoint - 1) return null;
  return { ...linked, total: eventAt(end.position).txSeq };
}

/** Null: the index has not begun yet. */
export async function readLedger(database: Pool | ClientBase): Promise<IndexedLedger | null> {
  const { rows } = await database.query<LedgerRow>(`SELECT ${LEDGER} FROM events.ledger l`);
  return rows[0] === undefined ? null : ledgerOf(rows[0]);
}

/** All holes in order, at most `limit`; `due`: only those that it is time to read. */
export async function readHoles(
  database: Pool | ClientBase,
  { limit = 10_000, due = false }: { readonly limit?: number; readonly due?: boolean } = {},
): Promise<readonly Hole[]> {
  const { rows } = await database.query<HoleRow>(
    `SELECT ${HOLE} FROM events.holes h ${due ? 'WHERE retry_at <= now()' : ''} ORDER BY h.first_position DESC LIMIT $1`,
    [limit],
  );
  return rows.map(holeOf).reverse();
}

export interface LedgerAround extends IndexedLedger {
  /** The first hole that ends after the position or, descending, the last one that begins at or before it. */
  readonly hole: Hole | null;
}

/** The extent of the index around a position, in one snapshot. A null position is the end. */
export async function readAround(
  database: Pool,
  position: number | null,
  descending: boolean,
): Promise<LedgerAround | null> {
  const next = descending
    ? `SELECT * FROM events.holes WHERE first_position <= coalesce($1::bigint, l.end_position)
       ORDER BY first_position DESC LIMIT 1`
    : `SELECT * FROM events.holes WHERE end_position > coalesce($1::bigint, l.end_position)
       ORDER BY first_position LIMIT 1`;
  const { rows } = await database.query<LedgerRow & HoleRow>(
    `SELECT ${LEDGER}, ${HOLE} FROM events.ledger l LEFT JOIN LATERAL (${next}) h ON true`,
    [position],
  );
  const [row] = rows;
  if (row === undefined) return null;
  return { ...ledgerOf(row), hole: row.hole_first_checkpoint === null ? null : holeOf(row) };
}

function ledgerOf(row: LedgerRow): IndexedLedger {
  return {
    identity: {
      chainIdentifier: row.chain_identifier,
      genesisTransaction: row.genesis_transaction,
    },
    first: { checkpoint: row.first_checkpoint, position: row.first_position },
    end: { checkpoint: row.end_checkpoint, position: row.end_position },
    endAt: row.end_at,
    changes: row.changes,
    linked:
      row.linked_checkpoint === null || row.linked_digest === null
        ? null
        : { number: row.linked_checkpoint, digest: row.linked_digest },
  };
}

function holeOf(row: HoleRow): Hole {
  const { reason, detail, attempts } = row;
  return {
    first: { checkpoint: row.hole_first_checkpoint!, position: row.hole_first_position },
    end: { checkpoint: row.hole_end_checkpoint, position: row.hole_end_position },
    reason,
    detail,
    attempts,
  };
}

interface IndexSize {
  /** The newest checkpoint; null: the index has not begun. */
  readonly lastCheckpoint: number | null;
  /** The oldest checkpoint. */
  readonly firstCheckpoint: number | null;
  /** Reason → checkpoints that are missing. */
  readonly missing: Readonly<Partial<Record<HoleReason, number>>>;
}

/** Measures the index. Rejects when the database does not answer. */
export async function measureIndex(pool: Pool): Promise<IndexSize> {
  const { rows } = await pool.query<{
    first: number | null;
    end: number | null;
    missing: Partial<Record<HoleReason, number>>;
  }>(`SELECT (SELECT first_checkpoint FROM events.ledger) AS first, (SELECT end_checkpoint FROM events.ledger) AS "end",
    (SELECT coalesce(jsonb_object_agg(reason, checkpoints), '{}') FROM (
      SELECT reason, sum(end_checkpoint - first_checkpoint) AS checkpoints FROM events.holes GROUP BY reason
    ) AS sums) AS missing`);
  const { first, end, missing } = rows[0]!;
  return { firstCheckpoint: first, lastCheckpoint: end === null ? null : end - 1, missing };
}

/** Bytes of all tables and their indexes. */
export async function measureBytes(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ bytes: number }>(
    `SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::bigint AS bytes
     FROM pg_class WHERE relnamespace = 'events'::regnamespace AND relkind = 'r'`,
  );
  return rows[0]!.bytes;
}

/** The beginning of a checkpoint. */
export interface Place {
  readonly checkpoint: number;
  /** Of its first event: as a cursor, an integer that is ordered as the ledger is. */
  readonly position: number;
}

export type HoleReason = 'waiting' | 'pruned' | 'inconvertible' | 'gap';

/** Checkpoints from `first` to before `end` that the index does not have. */
export interface Hole {
  readonly first: Place;
  readonly end: Place;
  /** `waiting`: they are still to be read; otherwise why no node delivers them. */
  readonly reason: HoleReason;
  readonly detail: string;
  readonly attempts: number;
}

/** The greatest position. */
export const LAST_POSITION = Number.MAX_SAFE_INTEGER - 1;

/** The position of a transaction's first event. */
export function positionOf(txSeq: number): number {
  return txSeq * EVENTS_PER_TRANSACTION;
}

export function eventAt(position: number): EventId {
  return readCursor(position, 'position');
}

/** The place after a checkpoint, whose last event is `record`. */
export function placeAfter({ id }: StoredEventRecord, checkpoint: number): Place {
  return { checkpoint: checkpoint + 1, position: positionOf(id.txSeq + 1) };
}

/**
 * Where a source begins to deliver everything from a place on: events of empty checkpoints have the id of a
 * transaction before.
 */
export function startOf({ position }: Place): EventId {
  const { txSeq } = transactionAt(position);
  return { txSeq: Math.max(0, txSeq - 1), eventSeq: 0 };
}

/** Whether an event is at or after a place. */
export function isFrom({ id, event }: StoredEventRecord, { position, checkpoint }: Place): boolean {
  const { txSeq } = transactionAt(position);
  return id.txSeq >= txSeq || ('checkpoint' in event && event.checkpoint >= checkpoint);
}

/** The first transaction at or after a position. */
function transactionAt(position: number): { readonly txSeq: number } {
  return { txSeq: Math.ceil(position / EVENTS_PER_TRANSACTION) };
}

export function positionOfRecord({ id }: StoredEventRecord): number {
  return writeCursor(id);
}

export function describeCheckpoints({ first, end }: Pick<Hole, 'first' | 'end'>): string {
  const last = end.checkpoint - 1;
  return last <= first.checkpoint
    ? `checkpoint ${first.checkpoint}`
    : `checkpoints ${first.checkpoint} to ${last}`;
}
