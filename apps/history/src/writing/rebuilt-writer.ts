import { Inject, Injectable } from '@nestjs/common';
import {
  type CoinStoreRedis,
  historyStreamKey,
  listSponsors,
  rebuiltStreamKey,
} from '@forecourt/coin-store';
import type { Sponsorship } from '@forecourt/contracts';
import { type Logger, LOGGER, REDIS } from '@forecourt/runtime/service';
import { formRebuilt, idWithoutReservation, readRebuilt, reservedAt } from '@forecourt/sponsorship';
import type { LedgerCodec } from '@forecourt/ledger';
import type { ClientBase } from 'pg';
import { Database, lockForTransaction } from '../database/database.js';
import { Partitions } from '../database/partitions.js';
import { DAY_MS, firstIdAt, RESERVATION_BITS } from '../database/record-ids.js';
import { eventsOfEnded } from '../webhooks/delivery-outbox.js';
import { Webhooks } from '../webhooks/webhooks.js';
import type { StreamEntry } from './entry-source.js';
import { HistoryMetrics } from './history-metrics.js';
import { keepBrokenEntries } from './insert-records.js';
import { insertSponsorships } from './insert-sponsorships.js';
import { DECODER, readEntries } from './record-writer.js';
import { RecordedNetwork } from './recorded-network.js';

const MOST_TOGETHER = 500;

/**
 * Writes the transactions that pools have found on the ledger. A transaction may be recorded already, or its
 * entry may still wait in the pool's own stream: that is written first, since it knows more, and each
 * transaction is recorded once.
 */
@Injectable()
export class RebuiltWriter {
  constructor(
    @Inject(REDIS) private readonly redis: CoinStoreRedis,
    private readonly database: Database,
    private readonly network: RecordedNetwork,
    private readonly partitions: Partitions,
    @Inject(DECODER) private readonly decoder: LedgerCodec,
    private readonly outbox: Webhooks,
    private readonly metrics: HistoryMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Rejects when Redis or the database does not answer, or a pool is another network's; what was not written
   * is written later.
   */
  async write(): Promise<void> {
    for (const sponsor of (await listSponsors(this.redis)).values()) {
      while ((await this.writeSome(sponsor)) === MOST_TOGETHER);
    }
  }

  /** Those that are older than every entry of the pool's own stream. */
  private async findReady(sponsor: string): Promise<readonly StreamEntry[]> {
    const key = rebuiltStreamKey(sponsor);
    const entries = await this.redis.xrange(key, '-', '+', 'COUNT', MOST_TOGETHER);
    if (entries.length === 0) return [];
    const own = await this.redis.xrange(historyStreamKey(sponsor), '-', '+', 'COUNT', 1);
    const oldest = own[0]?.[0];
    return entries
      .filter(([id]) => oldest === undefined || isBefore(id, oldest))
      .map(([id, pairs]) => ({ id, pairs }));
  }

  /** Returns the number of entries that are written. Those of a later release are left to its replicas. */
  private async writeSome(sponsor: string): Promise<number> {
    const entries = await this.findReady(sponsor);
    if (entries.length === 0) return 0;
    await this.network.require(sponsor);
    const key = rebuiltStreamKey(sponsor);
    const { read, broken } = readEntries(entries, (entry) =>
      readCorrection(this.decoder, sponsor, entry),
    );
    const corrections = read.map(({ record }) => record);
    // A record whose id another one has may move to the time of its execution, and by some ms.
    const times = corrections.flatMap(({ record, at }) => [record?.created_at ?? at, at]);
    await this.partitions.ensure(times.flatMap((time) => [time, time - DAY_MS]));
    const { records, receivers } = await this.database.transaction(async (client) => {
      await lockForTransaction(client, 'records');
      await keepBrokenEntries(client, key, broken);
      const inserted = await insertCorrections(client, sponsor, corrections);
      const added = await this.outbox.add(client, inserted.flatMap(eventsOfEnded));
      return { records: inserted, receivers: added };
    });
    void this.outbox.wake(receivers);
    if (records.length > 0) {
      const fields = { sponsor, transactions: records.length };
      this.logger.warn(
        fields,
        'Transactions recorded from the ledger: no pool had a record of them',
      );
    }
    this.metrics.countRebuilt(sponsor, records.length);
    const done = [...read, ...broken].map(({ entry }) => entry.id);
    if (done.length > 0) await this.redis.xdel(key, ...done);
    return done.length;
  }
}

/** Compares ids of entries, `<ms>-<sequence>`. */
function isBefore(a: string, b: string): boolean {
  const [ms = 0, sequence = 0] = a.split('-').map(Number);
  const [otherMs = 0, otherSequence = 0] = b.split('-').map(Number);
  return ms === otherMs ? sequence < otherSequence : ms < otherMs;
}

/** A transaction that a pool has found on the ledger, or gas that none explains. */
interface Correction {
  /** Names it: a digest, or the entry where there is no transaction. */
  readonly key: string;
  /** In ms since 1970. */
  readonly at: number;
  readonly cause: string;
  /** In the smallest unit. */
  readonly unexplained: string;
  /** Null: no transaction explains the gas. */
  readonly record: Sponsorship | null;
}

/**
 * Reads an entry of the stream of transactions that were found on the ledger. Throws `EntryTooNew`, and an
 * `Error` with the problem.
 */
function readCorrection(
  decoder: LedgerCodec,
  sponsor: string,
  { id, pairs }: StreamEntry,
): Correction {
  const stored = readRebuilt(pairs);
  const { cause } = stored;
  if ('unexplained' in stored) {
    const { at, unexplained } = stored;
    return { key: id, at: Number(at), cause, unexplained, record: null };
  }
  const record = formRebuilt(decoder, sponsor, stored);
  return { key: record.digest!, at: record.ended_at!, cause, unexplained: '0', record };
}

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
 * Inserts the records of transactions that were found on the ledger, and notes what was corrected, within a
 * transaction that excludes all other writers of sponsorships. Leaves out those that are recorded already.
 * Returns the inserted records.
 */
async function insertCorrections(
  client: ClientBase,
  sponsor: string,
  corrections: readonly Correction[],
): Promise<readonly Sponsorship[]> {
  const recorded = await findRecorded(client, corrections);
  const missing = corrections.filter(({ key }) => !recorded.has(key));
  const newRecords = missing.flatMap(({ record }) => record ?? []);
  const records = await chooseIds(client, newRecords);
  await insertSponsorships(
    client,
    records.map((sponsorship) => ({ sponsorship, decision: null, transaction: '' })),
  );
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

/** The digests among them of transactions that are recorded. */
async function findRecorded(
  client: ClientBase,
  corrections: readonly Correction[],
): Promise<ReadonlySet<string>> {
  const withRecord = corrections.filter(({ record }) => record !== null);
  if (withRecord.length === 0) return new Set();
  const times = withRecord.map(({ at }) => at);
  const { rows } = await client.query<{ digest: string }>(FIND_RECORDED, [
    withRecord.map(({ key }) => key),
    String(firstIdAt(Math.min(...times) - RESERVED_WITHIN_MS, RESERVATION_BITS)),
    String(firstIdAt(Math.max(...times) + RESERVED_WITHIN_MS, RESERVATION_BITS)),
  ]);
  return new Set(rows.map(({ digest }) => digest));
}

/** Gives records whose id another one has an id without a reservation; the same transaction comes once. */
async function chooseIds(
  client: ClientBase,
  newRecords: readonly Sponsorship[],
): Promise<readonly Sponsorship[]> {
  const byDigest = new Map(newRecords.map((record) => [record.digest, record]));
  let open = [...byDigest.values()];
  const chosen = new Map<number, Sponsorship>();
  for (let attempt = 0; open.length > 0; attempt += 1) {
    const { rows } = await client.query<{ id: string }>(FIND_TAKEN, [
      open.map((record) => record.reservation_id),
    ]);
    const usedIds = new Set(rows.map(({ id }) => Number(id)));
    const refused: Sponsorship[] = [];
    for (const record of open) {
      const { reservation_id: id } = record;
      if (usedIds.has(id) || chosen.has(id)) refused.push(withoutReservation(record, attempt));
      else chosen.set(id, record);
    }
    open = refused;
  }
  return [...chosen.values()];
}

function withoutReservation(record: Sponsorship, attempt: number): Sponsorship {
  const time = record.ended_at! - Math.floor(attempt / IDS_PER_MS);
  const id = idWithoutReservation(time, record.reservation_id % SPONSORS, attempt);
  return { ...record, reservation_id: id, created_at: reservedAt(id) };
}
