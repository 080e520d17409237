import type { UsageFilters, UsageKey, Viewer } from '@forecourt/contracts';
import { type RawBuilder, sql } from 'kysely';
import { REFUSAL_BITS, RESERVATION_BITS } from '../database/record-ids.js';
import { type IdRange, idsOf, isBetween, within } from './id-range.js';
import type { SumsUnit, UsagePart } from './usage-times.js';

type Fragment = RawBuilder<unknown>;

/** The question that a report answers: the keys of its rows, and whose usage it is. */
export interface UsageQuestion {
  readonly groupBy: readonly UsageKey[];
  readonly viewer: Viewer;
  readonly filters: UsageFilters;
}

/** The sums that answer a question, and the keys that they have. */
export interface SumsTable {
  readonly name: 'usage_hourly' | 'usage_daily' | 'usage_daily_calls';
  readonly unit: Exclude<SumsUnit, null>;
  readonly keys: readonly UsageKey[];
}

const TABLES: readonly SumsTable[] = [
  { name: 'usage_hourly', unit: 'hour', keys: ['day', 'hour', 'token', 'sponsor'] },
  { name: 'usage_daily', unit: 'day', keys: ['day', 'token', 'user', 'sender', 'sponsor'] },
  {
    name: 'usage_daily_calls',
    unit: 'day',
    keys: ['day', 'token', 'sponsor', 'package', 'function'],
  },
];

/** The smallest table that has every key of a question; null: only the records have them all. */
export function tableFor({ groupBy, viewer, filters }: UsageQuestion): SumsTable | null {
  const needed: UsageKey[] = [...groupBy];
  if ((filters.user ?? viewer.user ?? null) !== null) needed.push('user');
  if (filters.sender !== undefined) needed.push('sender');
  return TABLES.find(({ keys }) => needed.every((key) => keys.includes(key))) ?? null;
}

export const asksForCalls = ({ groupBy }: UsageQuestion) =>
  groupBy.includes('package') || groupBy.includes('function');

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
  { viewer, filters }: UsageQuestion,
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

/** The functions or packages of a record, each once; one row without names for a record that calls nothing. */
function calls(question: UsageQuestion, table: string, ids: IdRange): Fragment {
  if (!asksForCalls(question)) return sql``;
  const name = question.groupBy.includes('function')
    ? sql`concat_ws('::', f.package, f.module, f.name)`
    : none;
  return sql`LEFT JOIN (
    SELECT DISTINCT p.id, f.package, ${name} AS function
    FROM ${sql.table(table)} p JOIN functions f ON f.id = p.function WHERE ${within('p.id', ids)}
  ) c ON c.id = r.id`;
}

function callNames(question: UsageQuestion): Readonly<Record<string, Fragment>> {
  if (!asksForCalls(question)) return { package: none, function: none };
  return { package: sql`coalesce(c.package, '')`, function: sql`coalesce(c.function, '')` };
}

const recordKeys = (question: UsageQuestion) => ({
  at: sql`r.created_at`,
  token: sql`r.token`,
  user: sql`coalesce(r.token_user, '')`,
  sender: sql`coalesce(r.sender, '')`,
  sponsor: sql`coalesce(r.sponsor, '')`,
  ...callNames(question),
});

const ofRecords = { alias: 'r', user: 'token_user', sender: 'sender' };

/** Sponsorships, each as one. */
export function sponsorshipRecords(question: UsageQuestion, part: UsagePart): Fragment {
  const ids = idsOf(part, RESERVATION_BITS);
  const columns = {
    ...recordKeys(question),
    transactions: sql`CASE r.status WHEN 'executed' THEN 1 ELSE 0 END`,
    failed: sql`CASE r.outcome WHEN 'failure' THEN 1 ELSE 0 END`,
    refused: sql`r.refused`,
    gas: sql`coalesce(r.gas_net, 0)`,
  };
  return select(columns, sql`sponsorships r ${calls(question, 'sponsorship_functions', ids)}`, [
    within('r.id', ids),
    ...ofViewer(question, ofRecords),
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
export function refusalRecords(question: UsageQuestion, part: UsagePart): Fragment {
  const ids = idsOf(part, REFUSAL_BITS);
  const columns = { ...recordKeys(question), ...justRefused(sql`1`) };
  return select(columns, sql`refusals r ${calls(question, 'refusal_functions', ids)}`, [
    within('r.id', ids),
    ...ofViewer(question, ofRecords),
  ]);
}

/** Refused requests of which only the number is kept, of the hours that begin in the part. */
export function droppedRefusals(question: UsageQuestion, part: UsagePart): Fragment {
  const { sponsor, ...filters } = question.filters;
  const columns = {
    at: sql`r.hour`,
    token: sql`r.token`,
    user: none,
    sender: none,
    sponsor: none,
    package: none,
    function: none,
    ...justRefused(sql`r.requests`),
  };
  return select(columns, sql`dropped_refusals r`, [
    isBetween(sql`r.hour`, part),
    ...ofViewer({ ...question, filters }, { alias: 'r' }),
    ...(sponsor === undefined ? [] : [sql`false`]),
  ]);
}

/** Sums of a table. */
export function sumsOf(question: UsageQuestion, table: SumsTable, part: UsagePart): Fragment {
  const at = table.unit === 'hour' ? sql`r.hour` : sql`r.day`;
  const has = (key: UsageKey, column: Fragment) => (table.keys.includes(key) ? column : none);
  const columns = {
    at,
    token: sql`r.token`,
    user: has('user', sql`r.token_user`),
    sender: has('sender', sql`r.sender`),
    sponsor: sql`r.sponsor`,
    package: has('package', sql`r.package`),
    function: has('function', sql`r.function`),
    transactions: sql`r.transactions`,
    failed: sql`r.failed`,
    refused: sql`r.refused`,
    gas: sql`r.gas`,
  };
  const rowsOfCalls = question.groupBy.includes('function')
    ? sql`(r.function <> '' OR r.package = '')`
    : sql`r.function = ''`;
  return select(columns, sql`${sql.table(table.name)} r`, [
    isBetween(at, part),
    ...ofViewer(question, ofRecords),
    ...(table.keys.includes('function') ? [rowsOfCalls] : []),
  ]);
}
