import type { ClientBase } from 'pg';

/** First half of the keys of this service's advisory locks. */
const OWN = 0x666f7265;
const locks = { partitions: 2, counters: 3, records: 4 } as const;

export const MIGRATION_LOCK: readonly [number, number] = [OWN, 1];

/** Waits until no other replica is doing the same; the lock ends with the transaction. */
export async function lockForTransaction(
  client: ClientBase,
  what: keyof typeof locks,
): Promise<void> {
  await client.query('SELECT pg_advisory_xact_lock($1, $2)', [OWN, locks[what]]);
}

/** Waits until no replica holds the lock alone; others may share it. It ends with the transaction. */
export async function shareLockForTransaction(
  client: ClientBase,
  what: keyof typeof locks,
): Promise<void> {
  await client.query('SELECT pg_advisory_xact_lock_shared($1, $2)', [OWN, locks[what]]);
}
