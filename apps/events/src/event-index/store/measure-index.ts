import type { Pool } from 'pg';
import type { HoleReason } from './place.js';

export interface IndexSize {
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
