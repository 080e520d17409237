import { Injectable } from '@nestjs/common';
import {
  ACCESS_REFUSALS,
  type AccessRefusal,
  ForecourtError,
  type ReadTraffic,
  type TrafficPageReply,
  type TrafficPeriod,
  type TrafficRecord,
  type UntriedCountReply,
  type Viewer,
} from '@forecourt/contracts';
import { type RawBuilder, sql } from 'kysely';
import { Database } from '../database/database.js';
import { Partitions } from '../database/partitions.js';
import { DAY_MS, REFUSAL_BITS, RESERVATION_BITS, timeOfId } from '../database/record-ids.js';
import { idsOf, type IdRange, within } from './id-range.js';

interface Row {
  readonly id: string;
  readonly record: string;
  readonly refusal: AccessRefusal | null;
  readonly token: string;
  readonly token_user: string | null;
  readonly sponsor: string | null;
  readonly digest: string | null;
  readonly reservation: string | null;
  readonly rule: string | null;
  readonly facts: string;
  readonly transaction: Buffer | null;
  readonly ended_at: string | null;
  readonly executed: boolean;
  readonly counted: string;
  readonly gas: string;
}

/** A page ends after the transaction that goes beyond: gateways and their networks are shared. */
const PAGE_BYTES = 262_144;
const PLACE = /^(\d{1,19})-(\d{1,19})$/;

/** Reads access decisions, for replays. */
@Injectable()
export class TrafficQueries {
  constructor(
    private readonly database: Database,
    private readonly partitions: Partitions,
  ) {}

  /**
   * A page, the oldest first; the last one is empty. Throws INVALID_REQUEST for `after` that is not a place.
   */
  async read({ viewer, from, to, token, after, limit }: ReadTraffic): Promise<TrafficPageReply> {
    const [, id, record] = PLACE.exec(after ?? '') ?? [];
    if (after !== undefined && id === undefined) {
      throw new ForecourtError('INVALID_REQUEST', 'after is not the place of a decision');
    }
    const all = idsOf({ from, to }, REFUSAL_BITS);
    const range = id === undefined ? all : { ...all, low: BigInt(id) };
    const isAfter =
      id === undefined ? sql`true` : sql`(id, record) > (${id}::bigint, ${record}::bigint)`;
    const { rows } = await sql<Row>`
      SELECT * FROM (
        SELECT *, sum(octet_length(transaction)) OVER (ORDER BY id, record) - octet_length(transaction) AS before
        FROM (
          SELECT * FROM decided_transactions
          WHERE ${within('id', range)} AND ${isAfter} AND ${visible(viewer, token)}
          ORDER BY id, record LIMIT ${limit}
        ) page
      ) summed
      WHERE coalesce(before, 0) < ${PAGE_BYTES} ORDER BY id, record`.execute(this.database.query);
    const last = rows.at(-1);
    return { data: rows.map(trafficRecord), next: last ? `${last.id}-${last.record}` : null };
  }

  /**
   * Counts sponsored transactions, and requests that were refused with a code of the access rules, whose
   * decision is not kept. Of at most a day.
   */
  async countUntried({ viewer, from, to, token }: TrafficPeriod): Promise<UntriedCountReply> {
    const count = async (table: string, bits: bigint, isWanted: RawBuilder<unknown>) => {
      // A transaction is decided after its reservation.
      const decided: IdRange = idsOf({ from, to: to + DAY_MS }, REFUSAL_BITS);
      const { rows } = await sql<{ count: string }>`
        SELECT count(*) FROM ${sql.table(table)} r
        WHERE ${within('r.id', idsOf({ from, to }, bits))} AND ${isWanted}
          AND ${visible(viewer, token)} AND NOT EXISTS (
            SELECT FROM decided_transactions d WHERE d.record = r.id AND ${within('d.id', decided)})`.execute(
        this.database.query,
      );
      return Number(rows[0]!.count);
    };
    const isByRules = sql`r.code = ANY (${[...ACCESS_REFUSALS]})`;
    return {
      first: await this.partitions.first(),
      sponsorships: await count('sponsorships', RESERVATION_BITS, sql`r.digest IS NOT NULL`),
      refusals: await count('refusals', REFUSAL_BITS, isByRules),
    };
  }
}

function visible(viewer: Viewer, token: string | undefined): RawBuilder<unknown> {
  const conditions = [
    viewer.token === null ? sql`true` : sql`token = ${viewer.token}`,
    viewer.user === null ? sql`true` : sql`token_user = ${viewer.user}`,
    token === undefined ? sql`true` : sql`token = ${token}`,
  ];
  return sql.join(conditions, sql` AND `);
}

function trafficRecord(row: Row): TrafficRecord {
  return {
    at: timeOfId(BigInt(row.id), REFUSAL_BITS),
    refusal: row.refusal,
    token: row.token,
    user: row.token_user,
    sponsor: row.sponsor,
    digest: row.digest,
    reservation_id: row.reservation === null ? null : Number(row.reservation),
    rule: row.rule,
    facts: row.facts,
    transaction: row.transaction?.toString('base64') ?? null,
    ended_at: row.ended_at === null ? null : Number(row.ended_at),
    executed: row.executed,
    counted: row.counted,
    gas: row.gas,
  };
}
