import { Inject, Injectable } from '@nestjs/common';
import { HISTORY_CONFIG } from '../history-config.js';
import { Database } from '../database/database.js';
import { firstMinuteKept } from '../database/latency-buckets.js';
import { Partitions } from '../database/partitions.js';
import { DAY_MS, dayOf } from '../database/record-ids.js';

export interface RetentionSettings {
  readonly retentionDays: number;
  readonly usageRetentionDays: number;
  /** Of decided transactions. */
  readonly transactionDays: number;
}

/**
 * Days that have partitions before they begin: as long may the database lack the right to create tables, or
 * locks be held.
 */
const DAYS_AHEAD = 7;

/** Creates the partitions of the next days, and removes what is older than its retention. */
@Injectable()
export class Retention {
  constructor(
    private readonly database: Database,
    private readonly partitions: Partitions,
    @Inject(HISTORY_CONFIG) private readonly settings: RetentionSettings,
  ) {}

  /** Rejects when the database does not answer. */
  async prepareDays(): Promise<void> {
    const today = dayOf(await this.database.now());
    const days = Array.from({ length: DAYS_AHEAD + 1 }, (_, ahead) => today + ahead * DAY_MS);
    await this.partitions.ensure(days);
  }

  /**
   * Keeps whole days: nothing is removed before its time. Rejects when the database does not answer, or
   * tables are locked.
   */
  async removeExpired(): Promise<void> {
    const { retentionDays, usageRetentionDays, transactionDays } = this.settings;
    const now = await this.database.now();
    const firstKept = dayOf(now) - retentionDays * DAY_MS;
    for (const day of await this.partitions.list()) {
      if (day < firstKept) await this.partitions.drop(day);
    }
    const firstDecided = dayOf(now) - transactionDays * DAY_MS;
    for (const day of await this.partitions.list('decided_transactions')) {
      if (day < firstDecided) await this.partitions.drop(day, 'decided_transactions');
    }
    const firstKeptUsage = new Date(dayOf(now) - usageRetentionDays * DAY_MS).toISOString();
    const { pool } = this.database;
    for (const [table, column] of [
      ['usage_hourly', 'hour'],
      ['usage_daily', 'day'],
      ['usage_daily_calls', 'day'],
      ['refused_hourly', 'hour'],
      ['dropped_refusals', 'hour'],
      ['corrections', 'at'],
    ] as const) {
      await pool.query(`DELETE FROM ${table} WHERE ${column} < $1`, [firstKeptUsage]);
    }
    await pool.query(
      `DELETE FROM latencies WHERE (unit = 'minute' AND at < $1) OR (unit = 'hour' AND at < $2)`,
      [firstMinuteKept(now), firstKept].map((time) => new Date(time).toISOString()),
    );
    const kept = new Date(firstKept).toISOString();
    await pool.query('DELETE FROM broken_entries WHERE broken_at < $1', [kept]);
    // A day later than the last record that may use it.
    await pool.query('DELETE FROM functions WHERE last_used < $1::date - 1', [kept.slice(0, 10)]);
  }
}
