import { Injectable } from '@nestjs/common';
import {
  ForecourtError,
  MAX_USAGE_ROWS,
  type SumUsage,
  type UsageCorrection,
  type UsageFigures,
  type UsageKey,
  type UsageReport,
  type UsageRow,
} from '@forecourt/contracts';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { Database } from '../database/database.js';
import { Partitions } from '../database/partitions.js';
import type { Figures, Tables } from '../database/tables.js';
import { isBetween, type TimeRange } from './id-range.js';
import { tableFor, type UsageSelection, usageSources, widenToSums } from './usage-sources.js';

type GroupRow = Figures & Readonly<Partial<Record<UsageKey, string>>>;

const KEYS: Readonly<Record<UsageKey, RawBuilder<unknown>>> = {
  month: sql`to_char(u.at AT TIME ZONE 'UTC', 'YYYY-MM')`,
  day: sql`to_char(u.at AT TIME ZONE 'UTC', 'YYYY-MM-DD')`,
  hour: sql`to_char(u.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24')`,
  minute: sql`to_char(u.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI')`,
  token: sql`u.token`,
  user: sql`u.user`,
  sender: sql`u.sender`,
  sponsor: sql`u.sponsor`,
  package: sql`u.package`,
  function: sql`u.function`,
  code: sql`u.code`,
};

/** Sums usage: exactly, from sums where there are some and from records for the rest. */
@Injectable()
export class UsageQueries {
  constructor(
    private readonly database: Database,
    private readonly partitions: Partitions,
  ) {}

  /**
   * Rows and total are of one instant. Throws INVALID_REQUEST for too many rows, and for a time whose records
   * are gone if only they have the keys.
   */
  async sum({ viewer, from, to, groupBy: keys, filters }: SumUsage): Promise<UsageReport> {
    const groupBy = [...new Set(keys)];
    const selection = { groupBy, viewer, filters };
    const recordsSince = (await this.partitions.first()) ?? 0;
    const table = tableFor(selection);
    const requestedRange = { from, to: Math.max(from, to + 1) };
    const range = table
      ? widenToSums(requestedRange, table, recordsSince)
      : await this.cutToRecords(requestedRange, recordsSince);
    return this.database.query
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (transaction) => ({
        from: range.from,
        to: range.to - 1,
        group_by: groupBy,
        rows: await this.rows(transaction, selection, range),
        total: await this.total(transaction, selection, range),
        corrections: await this.corrections(transaction, selection, range),
      }));
  }

  /** The part of a range whose records are still there. Throws INVALID_REQUEST if no record of it is. */
  private async cutToRecords(range: TimeRange, recordsSince: number): Promise<TimeRange> {
    const { from, to } = range;
    if (from >= recordsSince || !(await this.isOlderUsage(recordsSince))) return range;
    if (to > recordsSince) return { from: recordsSince, to };
    const problem = `to must not be before ${recordsSince}: older records, which alone have these keys together, are gone; got ${to - 1}`;
    throw new ForecourtError('INVALID_REQUEST', problem);
  }

  /** Whether there was usage before a time. */
  private async isOlderUsage(time: number): Promise<boolean> {
    const { rows } = await sql`
      SELECT FROM usage_hourly WHERE hour < ${new Date(time).toISOString()}::timestamptz LIMIT 1
    `.execute(this.database.query);
    return rows.length > 0;
  }

  private async rows(
    transaction: Kysely<Tables>,
    selection: UsageSelection,
    range: TimeRange,
  ): Promise<readonly UsageRow[]> {
    const rows = await this.group(transaction, selection, range);
    if (rows.length > MAX_USAGE_ROWS) {
      const problem = `The report would have more than ${MAX_USAGE_ROWS} rows: ask for less time, or fewer keys`;
      throw new ForecourtError('INVALID_REQUEST', problem);
    }
    return rows.map((row) => rowOf(selection.groupBy, row));
  }

  /** Of transactions and refusals, not of rows: a transaction may be in several. */
  private async total(
    transaction: Kysely<Tables>,
    selection: UsageSelection,
    range: TimeRange,
  ): Promise<UsageFigures> {
    const [row] = await this.group(transaction, { ...selection, groupBy: [] }, range);
    return figuresOf(row ?? { transactions: '0', failed: '0', refused: '0', gas: '0' });
  }

  /** None for a selection that does not see all tokens. */
  private async corrections(
    transaction: Kysely<Tables>,
    { viewer, filters }: UsageSelection,
    range: TimeRange,
  ): Promise<readonly UsageCorrection[]> {
    const { sponsor, ...others } = filters;
    const seesAll =
      viewer.token === null && Object.values(others).every((one) => one === undefined);
    if (!seesAll) return [];
    const ofSponsor = sponsor === undefined ? sql`` : sql`AND sponsor = ${sponsor}`;
    const { rows } = await sql<UsageCorrection>`
      SELECT cause, sum(transactions)::integer AS transactions, sum(gas)::text AS gas,
        sum(unexplained)::text AS unexplained
      FROM corrections WHERE ${isBetween(sql`at`, range)} ${ofSponsor}
      GROUP BY cause ORDER BY cause
    `.execute(transaction);
    return rows;
  }

  private async group(
    transaction: Kysely<Tables>,
    selection: UsageSelection,
    range: TimeRange,
  ): Promise<readonly GroupRow[]> {
    const sources = usageSources(selection, range);
    const { groupBy } = selection;
    const keys = groupBy.map((key) => sql`${KEYS[key]} AS ${sql.ref(key)}`);
    const figures = sql`sum(u.transactions)::text AS transactions, sum(u.failed)::text AS failed,
      sum(u.refused)::text AS refused, sum(u.gas)::text AS gas`;
    const places = sql.join(groupBy.map((_, index) => sql.raw(String(index + 1))));
    const grouped = groupBy.length > 0 ? sql`GROUP BY ${places} ORDER BY ${places}` : sql``;
    if (sources.length === 0) return [];
    const { rows } = await sql<GroupRow>`
      SELECT ${sql.join([...keys, figures])} FROM (${sql.join(sources, sql` UNION ALL `)}) u
      ${grouped} LIMIT ${MAX_USAGE_ROWS + 1}
    `.execute(transaction);
    return rows.filter(({ transactions }) => transactions !== null);
  }
}

function rowOf(groupBy: readonly UsageKey[], row: GroupRow): UsageRow {
  const keys = Object.fromEntries(groupBy.map((key) => [key, row[key] ?? '']));
  return { ...keys, ...figuresOf(row) };
}

function figuresOf({ transactions, failed, refused, gas }: Figures): UsageFigures {
  return {
    transactions: Number(transactions),
    failed: Number(failed),
    refused: Number(refused),
    gas,
  };
}
