import { Injectable } from '@nestjs/common';
import type {
  DroppedRefusals,
  ListedRefusal,
  ListRecords,
  RecordFilters,
  RefusalPage,
  Viewer,
} from '@forecourt/contracts';
import { sql } from 'kysely';
import { Database } from '../database/database.js';
import { Partitions } from '../database/partitions.js';
import { HOUR_MS } from '../database/record-ids.js';
import type { RefusalRow } from '../database/tables.js';
import {
  conditionsFor,
  findFunctions,
  matchesAnyFunction,
  pageOf,
  readBefore,
  type RecordSelection,
  walkDays,
} from './select-records.js';

type Row = Omit<RefusalRow, 'created_at' | 'sponsor'> & { readonly created_at: number };

const COLUMNS = [
  'id',
  'created_at',
  'route',
  'token',
  'token_user',
  'sender',
  'status',
  'code',
  'message',
  'rule',
  'digest',
  'reservation',
  'request',
] as const satisfies readonly (keyof Row)[];

/** Lists refused requests. */
@Injectable()
export class RefusalQueries {
  constructor(
    private readonly database: Database,
    private readonly partitions: Partitions,
  ) {}

  /** A page, the newest first. Throws INVALID_REQUEST for `before` that is not an id. */
  async list({ viewer, filters, limit, before }: ListRecords): Promise<RefusalPage> {
    const bounds = { from: filters.from, to: filters.to, before: readBefore(before) };
    const selection = await this.select(viewer, filters);
    const rows =
      selection === null
        ? []
        : await walkDays<Row>(this.database, this.partitions, selection, bounds, limit + 1);
    const { data, next } = pageOf(rows, limit);
    return { data: data.map(listedRefusal), next, dropped: await this.dropped(viewer, filters) };
  }

  /** Null: nothing can pass the filters. What was refused has no outcome. */
  private async select(viewer: Viewer, filters: RecordFilters): Promise<RecordSelection | null> {
    const functions = await findFunctions(this.database, filters);
    if (functions?.length === 0 || filters.outcome !== undefined) return null;
    const conditions = conditionsFor(viewer, filters, ['code', filters.error]);
    const selection = {
      table: 'refusals',
      columns: COLUMNS,
      token: viewer.token ?? filters.token,
    } as const;
    const called = functions && matchesAnyFunction('refusal_functions', functions);
    return { ...selection, conditions, ...called };
  }

  /** The counters do not say which user was refused. */
  private async dropped(viewer: Viewer, filters: RecordFilters): Promise<DroppedRefusals[]> {
    if (viewer.user !== null) return [];
    const { from = 0, to = Number.MAX_SAFE_INTEGER } = filters;
    const begin = new Date(Math.min(from - (from % HOUR_MS), LAST_DATE)).toISOString();
    const end = new Date(Math.min(to, LAST_DATE)).toISOString();
    let query = this.database.query
      .selectFrom('dropped_refusals')
      .select(['code', 'token', sql<string>`sum(requests)`.as('requests')])
      .where(sql<boolean>`hour BETWEEN ${begin}::timestamptz AND ${end}::timestamptz`)
      .groupBy(['code', 'token'])
      .orderBy('code')
      .orderBy('token');
    for (const token of [viewer.token, filters.token]) {
      if (typeof token === 'string') query = query.where('token', '=', token);
    }
    if (filters.error !== undefined) query = query.where('code', '=', filters.error);
    const rows = await query.execute();
    return rows.map((row) => ({ ...row, requests: Number(row.requests) }));
  }
}

/** Far in the future, and a time that both sides know. */
const LAST_DATE = Date.UTC(9999, 0);

function listedRefusal(row: Row): ListedRefusal {
  return {
    at: row.created_at,
    route: row.route,
    token: row.token,
    user: row.token_user,
    sender: row.sender,
    status: Number(row.status),
    code: row.code,
    message: row.message,
    rule: row.rule,
    digest: row.digest,
    reservation_id: row.reservation === null ? null : Number(row.reservation),
    request_id: row.request,
  };
}
