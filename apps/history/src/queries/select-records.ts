import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database/database.js';
import { type IdRange, within } from './id-range.js';

/** A condition on columns of the records’ table, whose alias is `r`. */
export type Condition = RawBuilder<unknown>;

/** A narrow table of keys and ids, from which pages of records with one of the keys are read in order. */
export interface Postings {
  readonly table: string;
  readonly column: 'function' | 'code';
  readonly type: 'bigint' | 'text';
  readonly keys: readonly string[];
}

/** Records that call one of many functions. */
export interface Calls {
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
}

interface Identified {
  readonly id: string;
}

/** The newest records of a range that meet all conditions and have one of the keys. */
export async function selectRecords<Row extends Identified>(
  database: Database,
  selection: RecordSelection,
  range: IdRange,
  limit: number,
): Promise<readonly Row[]> {
  const { table, postings, token } = selection;
  const all = sql.join(conditionsOf(selection, range), sql` AND `);
  if (postings === undefined) {
    const { rows } = await sql<Row>`
      SELECT ${columnsOf(selection)} FROM ${sql.table(table)} r WHERE ${all} ORDER BY r.id DESC LIMIT ${limit}
    `.execute(database.query);
    return rows;
  }
  // The table of keys knows the token.
  const others = selection.conditions.length - (token === undefined ? 0 : 1);
  const isCovered = others === 0 && selection.calls === undefined;
  const records = isCovered ? sql`` : sql`JOIN ${sql.table(table)} r ON r.id = p.id AND ${all}`;
  const found: Row[] = [];
  for (let { high } = range; found.length < limit;) {
    const wanted = limit - found.length;
    const ids = await selectIds(database, selection, records, { ...range, high }, wanted);
    found.push(...(await readRecords<Row>(database, selection, ids)));
    if (ids.length < wanted) break;
    // A key may be there before its record.
    high = BigInt(ids.at(-1)!);
  }
  return found;
}

function conditionsOf({ conditions, calls }: RecordSelection, range: IdRange): Condition[] {
  const all = [...conditions, within('r.id', range)];
  if (calls === undefined) return all;
  const call = sql`EXISTS (
    SELECT FROM ${sql.table(calls.table)} c
    WHERE c.id = r.id AND c.function = ANY (${calls.functions}::bigint[]) AND ${within('c.id', range)})`;
  return [...all, call];
}

function columnsOf({ columns }: RecordSelection): RawBuilder<unknown> {
  return sql.join(columns.map((column) => sql.ref(`r.${column}`)));
}

/** The highest ids with one of the keys, in order. */
async function selectIds(
  { query }: Database,
  { postings, token }: RecordSelection,
  records: RawBuilder<unknown>,
  range: IdRange,
  limit: number,
): Promise<readonly string[]> {
  const { table, column, type, keys } = postings!;
  const ofToken = token === undefined ? sql`` : sql`AND p.token = ${token}`;
  const { rows } = await sql<Identified>`
    SELECT DISTINCT found.id FROM unnest(${keys}::${sql.raw(`${type}[]`)}) AS k (key)
    CROSS JOIN LATERAL (
      SELECT p.id FROM ${sql.table(table)} p ${records}
      WHERE p.${sql.raw(column)} = k.key ${ofToken} AND ${within('p.id', range)}
      ORDER BY p.id DESC LIMIT ${limit}
    ) found
    ORDER BY found.id DESC LIMIT ${limit}
  `.execute(query);
  return rows.map(({ id }) => id);
}

async function readRecords<Row>(
  { query }: Database,
  selection: RecordSelection,
  ids: readonly string[],
): Promise<readonly Row[]> {
  const [highest] = ids;
  if (highest === undefined) return [];
  const range = { low: BigInt(ids.at(-1)!), high: BigInt(highest) + 1n };
  const { rows } = await sql<Row>`
    SELECT ${columnsOf(selection)} FROM ${sql.table(selection.table)} r
    WHERE r.id = ANY (${ids}::bigint[]) AND ${within('r.id', range)} ORDER BY r.id DESC
  `.execute(query);
  return rows;
}
