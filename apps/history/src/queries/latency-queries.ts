import { Injectable } from '@nestjs/common';
import {
  ForecourtError,
  type LatencyFigures,
  type LatencyReport,
  type LatencyUnit,
  type Percentiles,
  type ReadLatency,
} from '@forecourt/contracts';
import { type RawBuilder, sql } from 'kysely';
import { Database } from '../database/database.js';
import { firstMinuteKept, msOfBucket, WITH_LATENCIES } from '../database/latency-buckets.js';
import { DAY_MS, HOUR_MS, RESERVATION_BITS } from '../database/record-ids.js';
import { idsOf, isBetween, type TimeRange, within } from './id-range.js';

const LENGTH_MS: Readonly<Record<LatencyUnit, number>> = {
  minute: 60_000,
  hour: HOUR_MS,
  day: DAY_MS,
};

/** One measure of a minute, hour or day; `at` is null for the whole time. */
interface MeasureRow {
  readonly at: number | null;
  readonly measure: 'latency' | 'queue';
  readonly transactions: string;
  /** Buckets. */
  readonly p50: number;
  readonly p99: number;
}

/** Reads how long transactions took. */
@Injectable()
export class LatencyQueries {
  constructor(private readonly database: Database) {}

  /** Throws INVALID_REQUEST for minutes that are no longer kept. */
  async read(message: ReadLatency): Promise<LatencyReport> {
    const { by } = message;
    const length = LENGTH_MS[by];
    const from = Math.floor(message.from / length) * length;
    const to = Math.floor(message.to / length) * length + length;
    if (by === 'minute') requireMinutes(message.from, await this.database.now());
    const rows = await this.percentiles(message, { from, to });
    const measured = Map.groupBy(rows, ({ at: time }) => time);
    return {
      from,
      to: to - 1,
      by,
      rows: [...measured].flatMap(([time, own]) =>
        time === null ? [] : { at: time, ...figuresOf(own) },
      ),
      total: figuresOf(measured.get(null) ?? []),
    };
  }

  /** In the order of time; the whole time comes last. */
  private async percentiles(message: ReadLatency, time: TimeRange): Promise<readonly MeasureRow[]> {
    // Only records know the user.
    const source = message.viewer.user === null ? sums(message, time) : records(message, time);
    const { rows } = await sql<MeasureRow>`
      WITH buckets AS (
        SELECT date_trunc(${message.by}, at, 'UTC') AS at, measure, bucket, sum(transactions) AS transactions
        FROM (${source}) source
        GROUP BY GROUPING SETS ((1, measure, bucket), (measure, bucket))
      ),
      ranked AS (
        SELECT *, sum(transactions) OVER (PARTITION BY at, measure ORDER BY bucket) AS rank,
          sum(transactions) OVER (PARTITION BY at, measure) AS count
        FROM buckets
      )
      SELECT at, measure, max(count)::text AS transactions, min(bucket) FILTER (WHERE rank >= count * 0.5) AS p50,
        min(bucket) FILTER (WHERE rank >= count * 0.99) AS p99
      FROM ranked GROUP BY at, measure ORDER BY at NULLS LAST
    `.execute(this.database.query);
    return rows;
  }
}

function requireMinutes(from: number, now: number): void {
  const first = firstMinuteKept(now);
  if (from >= first) return;
  const problem = `from must not be before ${first} with minutes, which are kept for a day: ask by hour; got ${from}`;
  throw new ForecourtError('INVALID_REQUEST', problem);
}

/** Columns of a source: at, measure, bucket, transactions. */
function sums({ by, viewer, token }: ReadLatency, time: TimeRange): RawBuilder<unknown> {
  const unit = by === 'minute' ? 'minute' : 'hour';
  return sql`
    SELECT at, measure, bucket, transactions FROM latencies s
    WHERE unit = ${unit} AND ${isBetween(sql`at`, time)} AND ${ofTokens(viewer.token, token)}`;
}

function records({ viewer, token }: ReadLatency, time: TimeRange): RawBuilder<unknown> {
  return sql`
    SELECT s.created_at AS at, latency.measure, latency.bucket, 1 AS transactions
    FROM sponsorships s ${sql.raw(WITH_LATENCIES)}
    WHERE ${within('s.id', idsOf(time, RESERVATION_BITS))} AND s.token_user = ${viewer.user}
      AND ${ofTokens(viewer.token, token)}`;
}

function ofTokens(...tokens: (string | null | undefined)[]): RawBuilder<unknown> {
  const conditions = tokens.flatMap((token) =>
    token === null || token === undefined ? [] : sql`s.token = ${token}`,
  );
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` AND `);
}

function figuresOf(rows: readonly MeasureRow[]): LatencyFigures {
  const latency = rows.find(({ measure }) => measure === 'latency');
  const queue = rows.find(({ measure }) => measure === 'queue');
  return {
    transactions: Number(latency?.transactions ?? 0),
    latency_ms: percentilesOf(latency),
    queue_ms: percentilesOf(queue),
  };
}

function percentilesOf(row: MeasureRow | undefined): Percentiles | null {
  return row === undefined ? null : { p50: msOfBucket(row.p50), p99: msOfBucket(row.p99) };
}
