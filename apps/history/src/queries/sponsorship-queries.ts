import { Injectable } from '@nestjs/common';
import {
  endedStatuses,
  type FindSponsorship,
  type ListRecords,
  type Page,
  type RecordFilters,
  type Sponsorship,
  type SponsorshipPage,
  type Viewer,
} from '@forecourt/contracts';
import { isLargePage } from '@forecourt/sponsorship';
import { sql } from 'kysely';
import { Database } from '../database/database.js';
import { Partitions } from '../database/partitions.js';
import { RESERVATION_BITS } from '../database/record-ids.js';
import { addGatewayRefusals } from './gateway-refusals.js';
import type { IdRange } from './id-range.js';
import { pageOf, readBefore } from './page-of.js';
import {
  matchesAnyFunction,
  equalities,
  findFunctions,
  sharedConditions,
} from './record-conditions.js';
import { type RecordSelection, selectRecords } from './select-records.js';
import {
  ALL_COLUMNS,
  fullSponsorship,
  type FullRow,
  LISTED_COLUMNS,
  listedSponsorship,
  type ListedRow,
} from './sponsorship-records.js';
import { type WalkBounds, walkDays } from './walk-days.js';

/** A page that becomes large ends after one of these reads. */
const ROWS_PER_READ = 100;

/** Finds and lists ended sponsorships. */
@Injectable()
export class SponsorshipQueries {
  constructor(
    private readonly database: Database,
    private readonly partitions: Partitions,
  ) {}

  /** By its id, or the latest of those that were bound to a transaction; null: it does not exist, or the viewer may not see it. */
  async find({ viewer, reservationId, digest }: FindSponsorship): Promise<Sponsorship | null> {
    const id = reservationId === undefined ? undefined : BigInt(reservationId);
    const conditions = sharedConditions(viewer, digest === undefined ? {} : { digest });
    const selection = { table: 'sponsorships', columns: ALL_COLUMNS, conditions } as const;
    const read = (range: IdRange, limit: number) =>
      selectRecords<FullRow>(this.database, selection, range, limit);
    const rows =
      id === undefined
        ? await walkDays(this.partitions, RESERVATION_BITS, {}, 1, read)
        : await read({ low: id, high: id + 1n }, 1);
    const [found] = await addGatewayRefusals(this.database, rows.map(fullSponsorship));
    return found ?? null;
  }

  /**
   * A page, the newest first. It ends early when it is large (`isLargePage`). Throws INVALID_REQUEST for `before` that is no id.
   */
  async list({ viewer, filters, limit, before }: ListRecords): Promise<SponsorshipPage> {
    const last = readBefore(before);
    const missing = viewer.token === null ? await this.countMissing() : 0;
    const selection = await this.select(viewer, filters);
    const isKnown = filters.status === undefined || isEnded(filters.status);
    if (selection === null || !isKnown) return { data: [], next: null, missing };
    const page = await this.readPage(selection, { ...filters, before: last }, limit);
    const data = await addGatewayRefusals(this.database, page.data.map(listedSponsorship));
    return { data, next: page.next, missing };
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
    const read = (range: IdRange, most: number) =>
      selectRecords<ListedRow>(this.database, selection, range, most);
    const rows: ListedRow[] = [];
    for (let last = before; ; last = BigInt(rows.at(-1)!.id)) {
      const most = Math.min(ROWS_PER_READ, limit + 1 - rows.length);
      const bounds = { from, to, before: last };
      const part = await walkDays(this.partitions, RESERVATION_BITS, bounds, most, read);
      rows.push(...part);
      if (part.length < most || rows.length > limit) return pageOf(rows, limit);
      if (isLargePage(rows)) return { data: rows, next: rows.at(-1)!.id };
    }
  }

  /** Null: nothing can pass the filters. */
  private async select(viewer: Viewer, filters: RecordFilters): Promise<RecordSelection | null> {
    const { outcome, error } = filters;
    const functions = await findFunctions(this.database, filters);
    if (functions?.length === 0) return null;
    const conditions = [
      ...sharedConditions(viewer, filters),
      ...equalities([['outcome', outcome]]),
    ];
    const selection = {
      table: 'sponsorships',
      columns: LISTED_COLUMNS,
      token: viewer.token ?? filters.token,
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

function isEnded(status: string): boolean {
  return (endedStatuses as readonly string[]).includes(status);
}
