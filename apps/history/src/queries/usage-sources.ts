import type { UsageFilters, UsageKey, Viewer } from '@forecourt/contracts';
import { type RawBuilder, sql } from 'kysely';
import { DAY_MS, HOUR_MS, REFUSAL_BITS, RESERVATION_BITS } from '../database/record-ids.js';
import { type IdRange, idsOf, isBetween, type TimeRange, within } from './id-range.js';

type Fragment = RawBuilder<unknown>;

/** The usage that a report sums: the keys of its rows, and whose usage it is. */
export interface UsageSelection {
  readonly groupBy: readonly UsageKey[];
  readonly viewer: Viewer;
  readonly filters: UsageFilters;
}

/** Sums of hours or days, and the keys that they have. */
export interface SumsTable {
  readonly name: 'usage_hourly' | 'usage_daily' | 'usage_daily_calls' | 'refused_hourly';
  readonly unit: 'hour' | 'day';
  readonly keys: readonly UsageKey[];
}

const TABLES: readonly SumsTable[] = [
  { name: 'usage_hourly', unit: 'hour', keys: ['month', 'day', 'hour', 'token', 'sponsor'] },
  {
    name: 'usage_daily',
    unit: 'day',
    keys: ['month', 'day', 'token', 'user', 'sender', 'sponsor'],
  },
  {
    name: 'usage_daily_calls',
    unit: 'day',
    keys: ['month', 'day', 'token', 'sponsor', 'package', 'function'],
  },
  { name: 'refused_hourly', unit: 'hour', keys: ['month', 'day', 'hour', 'token', 'code'] },
];

/** The smallest table that has every key of a selection; null: only the records have them all. */
export function tableFor({ groupBy, viewer, filters }: UsageSelection): SumsTable | null {
  const needed: UsageKey[] = [...groupBy];
  if ((filters.user ?? viewer.user ?? null) !== null) needed.push('user');
  if (filters.sender !== undefined) needed.push('sender');
  if (filters.sponsor !== undefined) needed.push('sponsor');
  return TABLES.find(({ keys }) => needed.every((key) => keys.includes(key))) ?? null;
}

const asksForCalls = ({ groupBy }: UsageSelection) =>
  groupBy.includes('package') || groupBy.includes('function');

/** Only what was refused has a code. */
const asksForCodes = ({ groupBy }: UsageSelection) => groupBy.includes('code');

const LENGTH_MS = { hour: HOUR_MS, day: DAY_MS };

/**
 * Widens a range before `recordsSince`, where only sums are left, so that it begins or ends with a whole hour
 * or day there.
 */
export function widenToSums(
  { from, to }: TimeRange,
  { unit }: SumsTable,
  recordsSince: number,
): TimeRange {
  const length = LENGTH_MS[unit];
  const floor = (time: number) => Math.floor(time / length) * length;
  return {
    from: floor(from) < recordsSince ? floor(from) : from,
    to: floor(to) < recordsSince ? Math.ceil(to / length) * length : to,
  };
}

/** Selects the usage of a range: sums of its whole hours or days, and records of the rest. */
export function usageSources(selection: UsageSelection, range: TimeRange): Fragment[] {
  const table = tableFor(selection);
  // Only the sums by hour contain refused requests.
  const isHourly = table?.unit === 'hour';
  const records = (part: TimeRange) => {
    if (part.to <= part.from) return [];
    const ofSponsorships = asksForCodes(selection) ? refusedExecutes : sponsorshipRecords;
    const sources = [ofSponsorships(selection, part), refusalRecords(selection, part)];
    return isHourly ? [...sources, requestsByCode('dropped_refusals', selection, part)] : sources;
  };
  if (table === null) return records(range);
  const length = LENGTH_MS[table.unit];
  const whole = {
    from: Math.ceil(range.from / length) * length,
    to: Math.floor(range.to / length) * length,
  };
  if (whole.from >= whole.to) return records(range);
  return [
    ...records({ from: range.from, to: whole.from }),
    ...wholeSums(selection, table, whole),
    ...records({ from: whole.to, to: range.to }),
  ];
}

function wholeSums(selection: UsageSelection, table: SumsTable, whole: TimeRange): Fragment[] {
  if (table.name === 'refused_hourly') {
    return (['refused_hourly', 'dropped_refusals'] as const).map((name) =>
      requestsByCode(name, selection, whole),
    );
  }
  const sums = sumsOf(selection, table, whole);
  return table.unit === 'hour' ? [sums] : [sums, refusalRecords(selection, whole)];
}

const none = sql`''`;

/** Columns: at, the keys by their names, transactions, failed, refused, gas. */
function select(
  columns: Readonly<Record<string, Fragment>>,
  from: Fragment,
  where: Fragment[],
): Fragment {
  const list = Object.entries(columns).map(([name, value]) => sql`${value} AS ${sql.ref(name)}`);
  return sql`SELECT ${sql.join(list)} FROM ${from} WHERE ${sql.join(where, sql` AND `)}`;
}

/** Conditions on columns with these names. */
function ofViewer(
  { viewer, filters }: UsageSelection,
  {
    alias,
    user,
    sender,
  }: { readonly alias: string; readonly user?: string; readonly sender?: string },
): Fragment[] {
  const pairs: [string | undefined, string | null | undefined][] = [
    ['token', viewer.token],
    ['token', filters.token],
    [user, viewer.user],
    [user, filters.user],
    [sender, filters.sender],
    ['sponsor', filters.sponsor],
  ];
  return pairs.flatMap(([column, value]) =>
    column === undefined || value === undefined || value === null
      ? []
      : sql`${sql.ref(`${alias}.${column}`)} = ${value}`,
  );
}

/**
 * The functions or packages of a record, each once; one row without names for a record that calls nothing.
 */
function calls(selection: UsageSelection, table: string, ids: IdRange): Fragment {
  if (!asksForCalls(selection)) return sql``;
  const name = selection.groupBy.includes('function')
    ? sql`concat_ws('::', f.package, f.module, f.name)`
    : none;
  return sql`LEFT JOIN (
    SELECT DISTINCT p.id, f.package, ${name} AS function
    FROM ${sql.table(table)} p JOIN functions f ON f.id = p.function WHERE ${within('p.id', ids)}
  ) c ON c.id = r.id`;
}

function callNames(selection: UsageSelection): Readonly<Record<string, Fragment>> {
  if (!asksForCalls(selection)) return { package: none, function: none };
  return { package: sql`coalesce(c.package, '')`, function: sql`coalesce(c.function, '')` };
}

const recordKeys = (selection: UsageSelection) => ({
  at: sql`r.created_at`,
  token: sql`r.token`,
  user: sql`coalesce(r.token_user, '')`,
  sender: sql`coalesce(r.sender, '')`,
  sponsor: sql`coalesce(r.sponsor, '')`,
  ...callNames(selection),
});

/** Refused executes of sponsorships, each as one. */
function refusedExecutes(selection: UsageSelection, part: TimeRange): Fragment {
  const ids = idsOf(part, RESERVATION_BITS);
  const columns = { ...recordKeys(selection), code: sql`e ->> 'code'`, ...justRefused(sql`1`) };
  const from = sql`sponsorships r ${calls(selection, 'sponsorship_functions', ids)}
    CROSS JOIN json_array_elements(r.refusals) e`;
  return select(columns, from, [
    within('r.id', ids),
    ...ofViewer(selection, ofRecords),
    sql`r.refused > 0`,
  ]);
}

const ofRecords = { alias: 'r', user: 'token_user', sender: 'sender' };

/** Sponsorships, each as one. */
function sponsorshipRecords(selection: UsageSelection, part: TimeRange): Fragment {
  const ids = idsOf(part, RESERVATION_BITS);
  const columns = {
    ...recordKeys(selection),
    code: none,
    transactions: sql`CASE r.status WHEN 'executed' THEN 1 ELSE 0 END`,
    failed: sql`CASE r.outcome WHEN 'failure' THEN 1 ELSE 0 END`,
    refused: sql`r.refused`,
    gas: sql`coalesce(r.gas_net, 0)`,
  };
  return select(columns, sql`sponsorships r ${calls(selection, 'sponsorship_functions', ids)}`, [
    within('r.id', ids),
    ...ofViewer(selection, ofRecords),
    sql`(r.status = 'executed' OR r.refused > 0 OR r.gas_net IS NOT NULL)`,
  ]);
}

const justRefused = (count: Fragment) => ({
  transactions: sql`0`,
  failed: sql`0`,
  refused: count,
  gas: sql`0`,
});

/** Refused requests, each as one. */
function refusalRecords(selection: UsageSelection, part: TimeRange): Fragment {
  const ids = idsOf(part, REFUSAL_BITS);
  const columns = { ...recordKeys(selection), code: sql`r.code`, ...justRefused(sql`1`) };
  return select(columns, sql`refusals r ${calls(selection, 'refusal_functions', ids)}`, [
    within('r.id', ids),
    ...ofViewer(selection, ofRecords),
  ]);
}

/** Refused requests of which only the number is kept, or all others, of the hours that begin in the part. */
function requestsByCode(
  table: 'dropped_refusals' | 'refused_hourly',
  selection: UsageSelection,
  part: TimeRange,
): Fragment {
  const { sponsor, ...filters } = selection.filters;
  const columns = {
    at: sql`r.hour`,
    token: sql`r.token`,
    user: none,
    sender: none,
    sponsor: none,
    package: none,
    function: none,
    code: sql`r.code`,
    ...justRefused(sql`r.requests`),
  };
  return select(columns, sql`${sql.table(table)} r`, [
    isBetween(sql`r.hour`, part),
    ...ofViewer({ ...selection, filters }, { alias: 'r' }),
    ...(sponsor === undefined ? [] : [sql`false`]),
  ]);
}

/** Sums of a table. */
function sumsOf(selection: UsageSelection, table: SumsTable, part: TimeRange): Fragment {
  const unitColumn = table.unit === 'hour' ? sql`r.hour` : sql`r.day`;
  const has = (key: UsageKey, column: Fragment) => (table.keys.includes(key) ? column : none);
  const columns = {
    at: unitColumn,
    token: sql`r.token`,
    user: has('user', sql`r.token_user`),
    sender: has('sender', sql`r.sender`),
    sponsor: sql`r.sponsor`,
    package: has('package', sql`r.package`),
    function: has('function', sql`r.function`),
    code: none,
    transactions: sql`r.transactions`,
    failed: sql`r.failed`,
    refused: sql`r.refused`,
    gas: sql`r.gas`,
  };
  const rowsOfCalls = selection.groupBy.includes('function')
    ? sql`(r.function <> '' OR r.package = '')`
    : sql`r.function = ''`;
  return select(columns, sql`${sql.table(table.name)} r`, [
    isBetween(unitColumn, part),
    ...ofViewer(selection, ofRecords),
    ...(table.keys.includes('function') ? [rowsOfCalls] : []),
  ]);
}
