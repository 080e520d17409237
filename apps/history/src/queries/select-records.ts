import {
  ForecourtError,
  type ListOrder,
  type Page,
  type RecordFilters,
  type Viewer,
} from '@forecourt/contracts';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database/database.js';
import type { Partitions } from '../database/partitions.js';
import {
  DAY_MS,
  dayOf,
  firstIdAt,
  REFUSAL_BITS,
  REFUSED_WITHIN_MS,
  RESERVATION_BITS,
  timeOfId,
} from '../database/record-ids.js';
import { idsOf, type IdRange, within } from './id-range.js';

/** A condition on columns of the records’ table, whose alias is `r`. */
type Condition = RawBuilder<unknown>;

/** A narrow table of keys and ids, from which pages of records with one of the keys are read in order. */
interface Postings {
  readonly table: string;
  readonly column: 'function' | 'code';
  readonly type: 'bigint' | 'text';
  readonly keys: readonly string[];
}

/** Records that call one of many functions. */
interface Calls {
  readonly table: string;
  readonly functions: readonly string[];
}

export interface RecordSelection {
  readonly table: 'sponsorships' | 'refusals';
  readonly columns: readonly string[];
  readonly conditions: readonly Condition[];
  /** The token of all records; it is among the conditions too. */
  readonly token?: string | undefined;
  readonly calls?: Calls | undefined;
  readonly postings?: Postings | undefined;
  /** Of sponsorships: whether an execute was refused. */
  readonly refused?: boolean | undefined;
  /** Its first records are the newest by default. */
  readonly order?: ListOrder | undefined;
}

interface Identified {
  readonly id: string;
}

export interface WalkBounds {
  /** Inclusive, in ms. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Only ids that come after this one in the order. */
  readonly before?: bigint | undefined;
}

/** Each step covers so many times the days of the step before. */
const GROWTH = 2;

/** The first records of a selection, at most `limit`. */
export async function walkDays<Row extends Identified>(
  database: Database,
  partitions: Partitions,
  selection: RecordSelection,
  bounds: WalkBounds,
  limit: number,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for await (const range of rangesOfDays(partitions, selection, bounds)) {
    rows.push(...(await selectRecords<Row>(database, selection, range, limit - rows.length)));
    if (rows.length >= limit) break;
  }
  return rows;
}

/** The number of records of a selection. Counts no further than `limit`. */
export async function countRecords(
  { query }: Database,
  partitions: Partitions,
  selection: RecordSelection,
  bounds: WalkBounds,
  limit: number,
): Promise<number> {
  let count = 0;
  for await (const range of rangesOfDays(partitions, selection, bounds)) {
    const ids = selectIds(selection, range, limit - count);
    const { rows } = await sql<{ count: string }>`
      SELECT count(*) AS count FROM (${ids}) counted
    `.execute(query);
    count += Number(rows[0]!.count);
    if (count >= limit) break;
  }
  return count;
}

/**
 * The ranges of a walk in the order of the selection. Each has a few days: the database plans a statement for
 * each partition that it may touch, and callers mostly want the first days.
 */
async function* rangesOfDays(
  partitions: Partitions,
  { table, order }: RecordSelection,
  { from = 0, to = Infinity, before }: WalkBounds,
): AsyncGenerator<IdRange> {
  const bits = table === 'sponsorships' ? RESERVATION_BITS : REFUSAL_BITS;
  const first = (await partitions.first()) ?? Infinity;
  // No record is later than tomorrow.
  const end = Math.min(to + 1, dayOf(Date.now()) + 2 * DAY_MS);
  let lowest = firstIdAt(from, bits);
  let high = firstIdAt(end, bits);
  if (order === 'oldest') {
    if (before !== undefined && before >= lowest) lowest = before + 1n;
    for (let days = 1; lowest < high; days *= GROWTH) {
      const day = dayOf(Math.max(timeOfId(lowest, bits), first)) + days * DAY_MS;
      const top = firstIdAt(Math.min(day, end), bits);
      yield { low: lowest, high: top };
      lowest = top;
    }
    return;
  }
  if (before !== undefined && before < high) high = before;
  for (let days = 1; high > lowest; days *= GROWTH) {
    const newest = Math.min(timeOfId(high - 1n, bits), Date.now());
    const day = dayOf(newest) - (days - 1) * DAY_MS;
    // The last step has no bound: another replica may have created an earlier day just now.
    const begin = day > first ? firstIdAt(day, bits) : 0n;
    const low = begin > lowest ? begin : lowest;
    yield { low, high };
    high = low;
  }
}

/** The first records of a range that meet all conditions and have one of the keys. */
export async function selectRecords<Row extends Identified>(
  database: Database,
  selection: RecordSelection,
  range: IdRange,
  limit: number,
): Promise<readonly Row[]> {
  if (selection.postings === undefined) {
    const statement = selectInOrder<Row>(selection, columnsOf(selection), range, limit);
    return (await statement.execute(database.query)).rows;
  }
  const rows: Row[] = [];
  for (let part = range; rows.length < limit;) {
    const missing = limit - rows.length;
    const statement = selectKeys(selection, part, missing, !isCovered(selection));
    const ids = (await statement.execute(database.query)).rows.map(({ id }) => id);
    rows.push(...(await readRecords<Row>(database, selection, ids)));
    if (ids.length < missing) break;
    // A key may be there before its record.
    const last = BigInt(ids.at(-1)!);
    part = selection.order === 'oldest' ? { ...part, low: last + 1n } : { ...part, high: last };
  }
  return rows;
}

/** Whether the table of keys, which knows the token, shows all that the conditions ask for. */
function isCovered({ conditions, token, calls, refused }: RecordSelection): boolean {
  const others = conditions.length - (token === undefined ? 0 : 1);
  return others === 0 && calls === undefined && refused === undefined;
}

/** Selects the ids of the records that `selectRecords` finds. */
function selectIds(
  selection: RecordSelection,
  range: IdRange,
  limit: number,
): RawBuilder<Identified> {
  if (selection.postings !== undefined) return selectKeys(selection, range, limit, true);
  return selectInOrder<Identified>(selection, sql.ref('r.id'), range, limit);
}

function selectInOrder<Row>(
  selection: RecordSelection,
  columns: RawBuilder<unknown>,
  range: IdRange,
  limit: number,
): RawBuilder<Row> {
  return sql<Row>`
    SELECT ${columns} FROM ${sql.table(selection.table)} r WHERE ${meetsAll(selection, range)} ORDER BY r.id ${direction(selection)} LIMIT ${limit}
  `;
}

function direction({ order }: RecordSelection): RawBuilder<unknown> {
  return order === 'oldest' ? sql`ASC` : sql`DESC`;
}

function meetsAll(selection: RecordSelection, range: IdRange): Condition {
  return sql.join(conditionsOf(selection, range), sql` AND `);
}

function conditionsOf(
  { conditions, calls, refused }: RecordSelection,
  range: IdRange,
): Condition[] {
  const all = [...conditions, within('r.id', range)];
  if (refused !== undefined) all.push(refused ? isRefused(range) : sql`NOT ${isRefused(range)}`);
  if (calls === undefined) return all;
  const call = sql`EXISTS (
    SELECT FROM ${sql.table(calls.table)} c
    WHERE c.id = r.id AND c.function = ANY (${calls.functions}::bigint[]) AND ${within('c.id', range)})`;
  return [...all, call];
}

/**
 * The ledger's refusals are counted in the record; those of gateways are separate records, from about the
 * same time.
 */
function isRefused({ low, high }: IdRange): Condition {
  const near = {
    from: timeOfId(low, RESERVATION_BITS) - REFUSED_WITHIN_MS,
    to: timeOfId(high, RESERVATION_BITS) + REFUSED_WITHIN_MS,
  };
  return sql`(r.refused > 0 OR EXISTS (
    SELECT FROM refusals f WHERE f.reservation = r.id AND ${within('f.id', idsOf(near, REFUSAL_BITS))}))`;
}

function columnsOf({ columns }: RecordSelection): RawBuilder<unknown> {
  return sql.join(columns.map((column) => sql.ref(`r.${column}`)));
}

/**
 * Selects the first ids with one of the keys, in order. `withRecords`: only those with a record that meets
 * the conditions.
 */
function selectKeys(
  selection: RecordSelection,
  range: IdRange,
  limit: number,
  withRecords: boolean,
): RawBuilder<Identified> {
  const { table, column, type, keys } = selection.postings!;
  const { token } = selection;
  const records = withRecords
    ? sql`JOIN ${sql.table(selection.table)} r ON r.id = p.id AND ${meetsAll(selection, range)}`
    : sql``;
  const ofToken = token === undefined ? sql`` : sql`AND p.token = ${token}`;
  return sql<Identified>`
    SELECT DISTINCT found.id FROM unnest(${keys}::${sql.raw(`${type}[]`)}) AS k (key)
    CROSS JOIN LATERAL (
      SELECT p.id FROM ${sql.table(table)} p ${records}
      WHERE p.${sql.raw(column)} = k.key ${ofToken} AND ${within('p.id', range)}
      ORDER BY p.id ${direction(selection)} LIMIT ${limit}
    ) found
    ORDER BY found.id ${direction(selection)} LIMIT ${limit}
  `;
}

async function readRecords<Row>(
  { query }: Database,
  selection: RecordSelection,
  ids: readonly string[],
): Promise<readonly Row[]> {
  if (ids.length === 0) return [];
  const ends = [BigInt(ids[0]!), BigInt(ids.at(-1)!)] as const;
  const [low, high] = ends[0] < ends[1] ? ends : [ends[1], ends[0]];
  const range = { low, high: high + 1n };
  const { rows } = await sql<Row>`
    SELECT ${columnsOf(selection)} FROM ${sql.table(selection.table)} r
    WHERE r.id = ANY (${ids}::bigint[]) AND ${within('r.id', range)} ORDER BY r.id ${direction(selection)}
  `.execute(query);
  return rows;
}

/** The first `limit` of the rows, and where the next page begins if there are more. */
export function pageOf<Row extends Identified>(rows: readonly Row[], limit: number): Page<Row> {
  const data = rows.slice(0, limit);
  return { data, next: rows.length > limit ? (data.at(-1)?.id ?? null) : null };
}

/** Reads the id after which a page begins. Throws INVALID_REQUEST. */
export function readBefore(before: string | undefined): bigint | undefined {
  if (before === undefined) return undefined;
  if (/^\d{1,19}$/.test(before)) return BigInt(before);
  throw new ForecourtError('INVALID_REQUEST', 'before is not the id of a record');
}

/** More functions than this are not looked up one by one. */
const MOST_KEYS = 200;

type Equality = readonly [column: string, value: unknown];

/** `r.<column> = value` for each value that is given; a column may be named twice. */
function equalities(pairs: readonly Equality[]): Condition[] {
  return pairs
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([column, value]) => sql`${sql.ref(`r.${column}`)} = ${value}`);
}

/** The conditions of viewer and filters on columns that both kinds of records have, and on `own` ones. */
export function conditionsFor(
  viewer: Viewer,
  filters: RecordFilters,
  ...own: readonly Equality[]
): Condition[] {
  return equalities([
    ['token', viewer.token],
    ['token', filters.token],
    ['token_user', viewer.user],
    ['token_user', filters.user],
    ['sender', filters.sender],
    ['sponsor', filters.sponsor],
    ['digest', filters.digest],
    ['status', filters.status],
    ...own,
  ]);
}

/** The functions that filters name; null: they name none. Of a function, any part may be named. */
export async function findFunctions(
  { query }: Database,
  { package: packageId, module, function: name }: RecordFilters,
): Promise<readonly string[] | null> {
  if (packageId === undefined && module === undefined && name === undefined) return null;
  let functions = query.selectFrom('functions').select('id');
  if (packageId !== undefined) functions = functions.where('package', '=', packageId);
  if (module !== undefined) functions = functions.where('module', '=', module);
  if (name !== undefined) functions = functions.where('name', '=', name);
  return (await functions.execute()).map(({ id }) => id);
}

/**
 * Selects records that call one of the functions: in order from their table, or by looking at each record
 * where they are many.
 */
export function matchesAnyFunction(
  table: 'sponsorship_functions' | 'refusal_functions',
  functions: readonly string[],
): { readonly postings: Postings } | { readonly calls: Calls } {
  if (functions.length > MOST_KEYS) return { calls: { table, functions } };
  return { postings: { table, column: 'function', type: 'bigint', keys: functions } };
}
