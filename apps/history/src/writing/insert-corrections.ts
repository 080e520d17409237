import type { Sponsorship } from '@forecourt/contracts';
import { idWithoutReservation, reservedAt } from '@forecourt/sponsorship';
import type { ClientBase } from 'pg';
import { shareLockForTransaction } from '../database/database.js';
import { DAY_MS, firstIdAt, RESERVATION_BITS } from '../database/record-ids.js';
import { insertSponsorships } from './insert-sponsorships.js';
import type { Correction } from './read-rebuilt.js';

/** A transaction executes within this time of its reservation; clocks differ. */
const RESERVED_WITHIN_MS = DAY_MS;
const SPONSORS = 64;
const IDS_PER_MS = 64;

const FIND_RECORDED = `
  SELECT digest FROM sponsorships
  WHERE digest = ANY ($1) AND status = 'executed' AND id BETWEEN $2 AND $3`;

const FIND_TAKEN = 'SELECT id FROM sponsorships WHERE id = ANY ($1)';

const NOTE = `
  INSERT INTO corrections (sponsor, key, at, cause, transactions, gas, unexplained)
  SELECT $1, key, to_timestamp(at / 1000.0), cause, transactions, gas, unexplained
  FROM unnest($2::text[], $3::bigint[], $4::text[], $5::smallint[], $6::numeric[], $7::numeric[])
    AS given (key, at, cause, transactions, gas, unexplained)
  ON CONFLICT DO NOTHING`;

/**
 * Inserts the records of transactions that were found on the ledger, and notes what was corrected, within a transaction that excludes
 * all other writers of sponsorships. Leaves out what is recorded already. Returns the inserted records.
 */
export async function insertCorrections(
  client: ClientBase,
  sponsor: string,
  corrections: readonly Correction[],
): Promise<readonly Sponsorship[]> {
  const recorded = await findRecorded(client, corrections);
  const missing = corrections.filter(({ key }) => !recorded.has(key));
  const found = missing.flatMap(({ record }) => record ?? []);
  const records = await chooseIds(client, found);
  await insertSponsorships(client, records);
  await client.query(NOTE, [
    sponsor,
    missing.map(({ key }) => key),
    missing.map(({ at }) => at),
    missing.map(({ cause }) => cause),
    missing.map(({ record }) => (record === null ? 0 : 1)),
    missing.map(({ record }) => record?.gas?.net ?? '0'),
    missing.map(({ unexplained }) => unexplained),
  ]);
  return records;
}

/**
 * The sponsorships whose transaction was not recorded from the ledger before their own entry arrived: a replica may have held that for
 * as long as the database did not answer. Shares the lock of writers.
 */
export async function withoutRebuilt(
  client: ClientBase,
  sponsor: string,
  sponsorships: readonly Sponsorship[],
): Promise<readonly Sponsorship[]> {
  await shareLockForTransaction(client, 'records');
  const { rows } = await client.query<{ key: string }>(
    'SELECT key FROM corrections WHERE sponsor = $1 AND key = ANY ($2)',
    [sponsor, sponsorships.flatMap(({ digest }) => digest ?? [])],
  );
  const rebuilt = new Set(rows.map(({ key }) => key));
  return sponsorships.filter(
    ({ digest, status }) => status !== 'executed' || !rebuilt.has(digest!),
  );
}

/** The digests among them of transactions that are recorded. */
async function findRecorded(
  client: ClientBase,
  corrections: readonly Correction[],
): Promise<ReadonlySet<string>> {
  const found = corrections.filter(({ record }) => record !== null);
  if (found.length === 0) return new Set();
  const times = found.map(({ at }) => at);
  const { rows } = await client.query<{ digest: string }>(FIND_RECORDED, [
    found.map(({ key }) => key),
    String(firstIdAt(Math.min(...times) - RESERVED_WITHIN_MS, RESERVATION_BITS)),
    String(firstIdAt(Math.max(...times) + RESERVED_WITHIN_MS, RESERVATION_BITS)),
  ]);
  return new Set(rows.map(({ digest }) => digest));
}

/** Gives records whose id another one has an id without a reservation; the same transaction comes once. */
async function chooseIds(
  client: ClientBase,
  found: readonly Sponsorship[],
): Promise<readonly Sponsorship[]> {
  const byDigest = new Map(found.map((record) => [record.digest, record]));
  let open = [...byDigest.values()];
  const chosen = new Map<number, Sponsorship>();
  for (let attempt = 0; open.length > 0; attempt += 1) {
    const { rows } = await client.query<{ id: string }>(FIND_TAKEN, [
      open.map((record) => record.reservation_id),
    ]);
    const taken = new Set(rows.map(({ id }) => Number(id)));
    const refused: Sponsorship[] = [];
    for (const record of open) {
      const { reservation_id: id } = record;
      if (taken.has(id) || chosen.has(id)) refused.push(withoutReservation(record, attempt));
      else chosen.set(id, record);
    }
    open = refused;
  }
  return [...chosen.values()];
}

function withoutReservation(record: Sponsorship, attempt: number): Sponsorship {
  const at = record.ended_at! - Math.floor(attempt / IDS_PER_MS);
  const id = idWithoutReservation(at, record.reservation_id % SPONSORS, attempt);
  return { ...record, reservation_id: id, created_at: reservedAt(id) };
}
