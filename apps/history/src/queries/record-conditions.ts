import type { RecordFilters, Viewer } from '@forecourt/contracts';
import { sql } from 'kysely';
import type { Database } from '../database/database.js';
import type { Calls, Condition, Postings } from './select-records.js';

/** More functions than this are not looked up one by one. */
const MOST_KEYS = 200;

/** `r.<column> = value` for each value that is given; a column may be named twice. */
export function equalities(pairs: readonly (readonly [string, unknown])[]): Condition[] {
  return pairs
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([column, value]) => sql`${sql.ref(`r.${column}`)} = ${value}`);
}

/** The conditions of filters and viewer on columns that both kinds of records have. */
export function sharedConditions(viewer: Viewer, filters: RecordFilters): Condition[] {
  return equalities([
    ['token', viewer.token],
    ['token', filters.token],
    ['token_user', viewer.user],
    ['token_user', filters.user],
    ['sender', filters.sender],
    ['sponsor', filters.sponsor],
    ['digest', filters.digest],
    ['status', filters.status],
  ]);
}

/** The functions that filters name; null: they name none. Of a function, any part may be named. */
export async function findFunctions(
  { query }: Database,
  { package: packageId, module, function: name }: RecordFilters,
): Promise<readonly string[] | null> {
  if (packageId === undefined && module === undefined && name === undefined) return null;
  let found = query.selectFrom('functions').select('id');
  if (packageId !== undefined) found = found.where('package', '=', packageId);
  if (module !== undefined) found = found.where('module', '=', module);
  if (name !== undefined) found = found.where('name', '=', name);
  return (await found.execute()).map(({ id }) => id);
}

/** Selects records that call one of the functions: in order from their table, or by looking at each record where they are many. */
export function matchesAnyFunction(
  table: 'sponsorship_functions' | 'refusal_functions',
  functions: readonly string[],
): { readonly postings: Postings } | { readonly calls: Calls } {
  if (functions.length > MOST_KEYS) return { calls: { table, functions } };
  return { postings: { table, column: 'function', type: 'bigint', keys: functions } };
}
