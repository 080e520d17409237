import { Injectable } from '@nestjs/common';
import {
  type CountSponsorships,
  endedStatuses,
  type FindSponsorship,
  type ListedSponsorship,
  type ListRecords,
  MAX_COUNTED,
  MAX_REFUSALS,
  type Page,
  type RecordFilters,
  type Sponsorship,
  type SponsorshipCountReply,
  type SponsorshipPage,
  type SponsorshipRefusal,
  type SponsorshipStatus,
  type Viewer,
} from '@forecourt/contracts';
import { isLargePage } from '@forecourt/sponsorship';
import { sql } from 'kysely';
import { Database } from '../database/database.js';
import { Partitions } from '../database/partitions.js';
import { REFUSAL_BITS, REFUSED_WITHIN_MS, RESERVATION_BITS } from '../database/record-ids.js';
import type { RefusalRow, SponsorshipRow } from '../database/tables.js';
import { idsOf, within } from './id-range.js';
import {
  conditionsFor,
  countRecords,
  findFunctions,
  matchesAnyFunction,
  pageOf,
  readBefore,
  type RecordSelection,
  selectRecords,
  type WalkBounds,
  walkDays,
} from './select-records.js';

/** A page that becomes large ends after one of these reads. */
const ROWS_PER_READ = 100;

/** Finds and lists ended sponsorships. */
@Injectable()
export class SponsorshipQueries {
  constructor(
    private readonly database: Database,
    private readonly partitions: Partitions,
  ) {}

  /**
   * By its id, or the latest of those that were bound to a transaction; null: it does not exist, or the
   * viewer may not see it.
   */
  async find({ viewer, reservationId, digest }: FindSponsorship): Promise<Sponsorship | null> {
    const id = reservationId === undefined ? undefined : BigInt(reservationId);
    const conditions = conditionsFor(viewer, digest === undefined ? {} : { digest });
    const selection = { table: 'sponsorships', columns: ALL_COLUMNS, conditions } as const;
    const { database, partitions } = this;
    const rows =
      id === undefined
        ? await walkDays<FullRow>(database, partitions, selection, {}, 1)
        : await selectRecords<FullRow>(database, selection, { low: id, high: id + 1n }, 1);
    const [sponsorship] = await addGatewayRefusals(this.database, rows.map(fullSponsorship));
    return sponsorship ?? null;
  }

  /**
   * A page, in the order of the message. It ends early when it is large (`isLargePage`). Throws
   * INVALID_REQUEST for `before` that is not an id.
   */
  async list({ viewer, filters, limit, before, order }: ListRecords): Promise<SponsorshipPage> {
    const last = readBefore(before);
    const missing = viewer.token === null ? await this.countMissing() : 0;
    const selection = await this.select(viewer, filters);
    if (selection === null) return { data: [], next: null, missing };
    const bounds = { ...filters, before: last };
    const page = await this.readPage({ ...selection, order }, bounds, limit);
    const data = await addGatewayRefusals(this.database, page.data.map(listedSponsorship));
    return { data, next: page.next, missing };
  }

  /** How many pages of a list have, without those in `except`; no more than `MAX_COUNTED` + 1 are counted. */
  async count({ viewer, filters, except }: CountSponsorships): Promise<SponsorshipCountReply> {
    const selection = await this.select(viewer, filters);
    if (selection === null) return { count: 0 };
    const isCounted = sql`r.id <> ALL (${except}::bigint[])`;
    const countedSelection = { ...selection, conditions: [...selection.conditions, isCounted] };
    const { database, partitions } = this;
    return {
      count: await countRecords(database, partitions, countedSelection, filters, MAX_COUNTED + 1),
    };
  }

  private async countMissing(): Promise<number> {
    const { rows } = await sql<{ missing: string | null }>`
      SELECT sum(missing) AS missing FROM entry_numbers
    `.execute(this.database.query);
    return Number(rows[0]?.missing ?? 0);
  }

  private async readPage(
    selection: RecordSelection,
    { from, to, before }: WalkBounds,
    limit: number,
  ): Promise<Page<ListedRow>> {
    const { database, partitions } = this;
    const rows: ListedRow[] = [];
    for (let last = before; ; last = BigInt(rows.at(-1)!.id)) {
      const most = Math.min(ROWS_PER_READ, limit + 1 - rows.length);
      const bounds = { from, to, before: last };
      const part = await walkDays<ListedRow>(database, partitions, selection, bounds, most);
      rows.push(...part);
      if (part.length < most || rows.length > limit) return pageOf(rows, limit);
      if (isLargePage(rows)) return { data: rows, next: rows.at(-1)!.id };
    }
  }

  /** Null: nothing can pass the filters. */
  private async select(viewer: Viewer, filters: RecordFilters): Promise<RecordSelection | null> {
    const { outcome, error, state, status } = filters;
    const isEnded = status === undefined || endedStatuses.some((one) => one === status);
    if (!isEnded || isOpen(state)) return null;
    const functions = await findFunctions(this.database, filters);
    if (functions?.length === 0) return null;
    const conditions = [
      ...conditionsFor(viewer, filters, ['outcome', outcome]),
      ...conditionsOfState(state),
    ];
    const selection = {
      table: 'sponsorships',
      columns: LISTED_COLUMNS,
      token: viewer.token ?? filters.token,
      refused:
        state === 'refused' || (state === 'expired' || state === 'released' ? false : undefined),
    } as const;
    if (error === undefined) {
      const called = functions && matchesAnyFunction('sponsorship_functions', functions);
      return { ...selection, conditions, ...called };
    }
    const postings = {
      table: 'sponsorship_errors',
      column: 'code',
      type: 'text',
      keys: [error],
    } as const;
    const calls = functions ? { table: 'sponsorship_functions', functions } : undefined;
    return { ...selection, conditions, postings, calls };
  }
}

function isOpen(state: string | undefined): boolean {
  return state === 'reserved' || state === 'in_flight' || state === 'quarantined';
}

/** The conditions on columns that an ended state means. */
function conditionsOfState(state: string | undefined) {
  switch (state) {
    case undefined:
      return [];
    case 'executed':
      return [sql`r.status = 'executed'`, sql`r.outcome IS DISTINCT FROM 'failure'`];
    case 'failed':
      return [sql`r.status = 'executed'`, sql`r.outcome = 'failure'`];
    case 'refused':
      return [sql`r.status IN ('expired', 'released')`];
    default:
      return [sql`r.status = ${state}`];
  }
}

type FullRow = Omit<SponsorshipRow, 'created_at' | 'refused'> & { readonly created_at: number };
type ListedRow = Omit<FullRow, 'timeline' | 'gas_coins'>;

/** The columns of a sponsorship in a list. */
const LISTED_COLUMNS = [
  'id',
  'created_at',
  'ended_at',
  'status',
  'outcome',
  'token',
  'token_user',
  'sponsor',
  'sender',
  'digest',
  'gas_budget',
  'reserved_balance',
  'gas_computation',
  'gas_storage',
  'gas_rebate',
  'gas_net',
  'gas_counted',
  'commands',
  'rule',
  'refusals',
  'failure',
  'attempts',
  'executor',
  'request_ids',
  'trace_id',
  'rebuilt',
] as const satisfies readonly (keyof ListedRow)[];

const ALL_COLUMNS = [...LISTED_COLUMNS, 'timeline', 'gas_coins'] as const;

function listedSponsorship(row: ListedRow): ListedSponsorship {
  const { gas_computation: computation, gas_storage: storage, gas_rebate: rebate } = row;
  return {
    reservation_id: Number(row.id),
    status: row.status as SponsorshipStatus,
    outcome: row.outcome as Sponsorship['outcome'],
    token: row.token,
    user: row.token_user,
    sponsor_address: row.sponsor,
    sender: row.sender,
    digest: row.digest,
    gas_budget: row.gas_budget,
    reserved_balance: row.reserved_balance,
    gas:
      computation === null || storage === null || rebate === null
        ? null
        : { computation, storage, rebate, net: row.gas_net ?? '', counted: row.gas_counted ?? '' },
    commands: row.commands,
    rule: row.rule,
    refusals: row.refusals,
    failure: row.failure,
    attempts: row.attempts,
    executor: row.executor,
    request_ids: row.request_ids,
    trace_id: row.trace_id,
    created_at: row.created_at,
    ended_at: row.ended_at,
    rebuilt: row.rebuilt,
  };
}

function fullSponsorship(row: FullRow): Sponsorship {
  const { timeline, gas_coins } = row;
  return { ...listedSponsorship(row), timeline, gas_coins };
}

type Refused = Pick<Sponsorship, 'reservation_id' | 'created_at' | 'refusals'>;
type RefusedRow = Pick<RefusalRow, 'status' | 'code' | 'message' | 'digest'> & {
  readonly reservation: string;
  readonly created_at: number;
};

/** Adds to sponsorships the executes that gateways have refused; the ledger's refusals they have. */
async function addGatewayRefusals<T extends Refused>(
  database: Database,
  sponsorships: readonly T[],
): Promise<T[]> {
  if (sponsorships.length === 0) return [];
  const refused = Map.groupBy(await findRefusals(database, sponsorships), (row) =>
    Number(row.reservation),
  );
  return sponsorships.map((sponsorship) => {
    const added = refused.get(sponsorship.reservation_id) ?? [];
    if (added.length === 0) return sponsorship;
    const all = [...sponsorship.refusals, ...added.map(toRefusal)];
    return { ...sponsorship, refusals: all.sort((a, b) => a.at - b.at).slice(0, MAX_REFUSALS) };
  });
}

/** The first of each: a caller can have thousands. */
async function findRefusals(
  { query }: Database,
  sponsorships: readonly Refused[],
): Promise<readonly RefusedRow[]> {
  const times = sponsorships.map(({ created_at: createdAt }) => createdAt);
  const all = idsOf(
    { from: Math.min(...times) - REFUSED_WITHIN_MS, to: Math.max(...times) + REFUSED_WITHIN_MS },
    REFUSAL_BITS,
  );
  const ids = sponsorships.map(({ reservation_id: id }) => String(id));
  // The id that a refusal would have at the time of the reservation.
  const since = sql.raw(`((k.id >> ${RESERVATION_BITS}) << ${REFUSAL_BITS})`);
  const length = sql.raw(`(${REFUSED_WITHIN_MS}::bigint << ${REFUSAL_BITS})`);
  const { rows } = await sql<RefusedRow>`
    SELECT k.id AS reservation, found.created_at, found.status, found.code, found.message, found.digest
    FROM unnest(${ids}::bigint[]) AS k (id)
    CROSS JOIN LATERAL (
      SELECT r.* FROM refusals r
      WHERE r.reservation = k.id AND r.id > ${since} - ${length} AND r.id < ${since} + ${length}
        AND ${within('r.id', all)}
      ORDER BY r.id LIMIT ${MAX_REFUSALS}
    ) found
  `.execute(query);
  return rows;
}

function toRefusal({
  created_at: createdAt,
  status,
  code,
  message,
  digest,
}: RefusedRow): SponsorshipRefusal {
  return { at: createdAt, status: Number(status), code, message, digest };
}
