import { createHash } from 'node:crypto';
import type { AccessRefusal } from '@forecourt/contracts';
import { type Cell, copyRows } from '@forecourt/postgres/database';
import { type CalledFunction, calledFunctions } from '@forecourt/sponsorship';
import type { ClientBase } from 'pg';
import type { StreamEntry } from './entry-source.js';

/** A record by the columns of its table, and the commands of its transaction. */
export interface NewRecord {
  readonly columns: Readonly<Record<string, Cell>> & {
    readonly id: string;
    readonly token: string;
  };
  readonly commands: readonly string[];
  /** Null or absent: nothing is kept about its access decision. */
  readonly decided?: DecidedTransaction | null;
}

/** A row of `decided_transactions`, but for what its record has. */
export interface DecidedTransaction {
  readonly id: string;
  readonly refusal: AccessRefusal | null;
  readonly reservation: string | null;
  readonly facts: string;
  /** Base64; empty: it is not known, or there was none. */
  readonly transaction: string;
  /** Of a sponsorship; in ms since 1970. */
  readonly endedAt: number | null;
  readonly executed: boolean;
  readonly counted: string;
  readonly gas: string;
}

/** A table of records. */
export interface RecordTable {
  readonly name: 'sponsorships' | 'refusals';
  readonly functions: 'sponsorship_functions' | 'refusal_functions';
  /** Statements about the rows that `staged_<name>` keeps, which are new. */
  readonly statements: readonly string[];
}

/** Column → its type. */
const CALLS = {
  id: 'bigint',
  token: 'text',
  function: 'bigint',
  package: 'text',
  module: 'text',
  name: 'text',
} as const;
const CALL_COLUMNS = Object.keys(CALLS) as (keyof typeof CALLS)[];
/**
 * Longer than the name of any function on the ledger, and short enough for an index. A refused transaction
 * may name functions that do not exist.
 */
const LONGEST_NAME = 512;

/**
 * Inserts records and what follows from them, within a transaction. Returns how many are new: those that have
 * been written before change nothing. Every writer uses the tables in the same order, so that writers do not
 * wait for each other in a circle.
 */
export async function insertRecords(
  client: ClientBase,
  table: RecordTable,
  records: readonly NewRecord[],
): Promise<number> {
  const { name, functions, statements } = table;
  const byId = new Map(records.map((record) => [record.columns.id, record]));
  const distinct = [...byId.values()];
  const [first] = distinct;
  if (first === undefined) return 0;
  const columns = Object.keys(first.columns);
  await prepareStage(client, name);
  const types = CALL_COLUMNS.map((column) => `${column} ${CALLS[column]}`);
  await prepareStage(client, `${name}_calls`, types.join(', '));
  const rows = distinct.map((record) => record.columns);
  await copyRows(client, `staged_${name}`, columns, rows);
  await copyRows(client, `staged_${name}_calls`, CALL_COLUMNS, distinct.flatMap(callRows));
  await prepareStage(client, DECIDED);
  await copyRows(client, `staged_${DECIDED}`, DECIDED_COLUMNS, distinct.flatMap(decidedRows));
  const repeated = await client.query(insertNew(name, columns.join(', ')));
  const inserted = distinct.length - (repeated.rowCount ?? 0);
  if (inserted === 0) return 0;
  const derived = [noteFunctions(name), insertCalls(name, functions), insertDecided(name)];
  for (const statement of [...derived, ...statements]) await client.query(statement);
  return inserted;
}

function callRows({ columns: { id, token }, commands }: NewRecord) {
  return calledFunctions(commands)
    .filter(({ module, function: name }) => module.length + name.length <= LONGEST_NAME)
    .map((called) => ({
      id,
      token,
      function: functionId(called),
      package: called.package,
      module: called.module,
      name: called.function,
    }));
}

const DECIDED = 'decided_transactions';
const DECIDED_COLUMNS = [
  'id',
  'record',
  'refusal',
  'token',
  'token_user',
  'sponsor',
  'digest',
  'reservation',
  'rule',
  'facts',
  'transaction',
  'ended_at',
  'executed',
  'counted',
  'gas',
] as const;
/** Longer ones are rare, and few of them would fill the tables. */
const LONGEST_TRANSACTION = 65_536;

function decidedRows({ columns, decided }: NewRecord) {
  if (!decided) return [];
  const { transaction, endedAt, executed, ...asStored } = decided;
  const { id: record, token, token_user, sponsor, digest, rule } = columns;
  const isKept = transaction !== '' && transaction.length <= LONGEST_TRANSACTION;
  return [
    {
      ...asStored,
      record,
      token,
      token_user: token_user!,
      sponsor: sponsor!,
      digest: digest!,
      rule: rule!,
      transaction: isKept ? `\\x${Buffer.from(transaction, 'base64').toString('hex')}` : null,
      ended_at: endedAt,
      executed: String(executed),
    },
  ];
}

/** The id of a function: a hash of its full name. */
function functionId({ package: packageId, module, function: name }: CalledFunction): string {
  const full = `${packageId}::${module}::${name}`;
  return String(createHash('sha256').update(full).digest().readBigInt64BE());
}

/** Keeps in the stage what is really inserted. */
const insertNew = (table: string, columns: string) => `
  WITH inserted AS (
    INSERT INTO ${table} (${columns}) SELECT ${columns} FROM staged_${table} ORDER BY id
    ON CONFLICT DO NOTHING RETURNING id
  )
  DELETE FROM staged_${table} s WHERE NOT EXISTS (SELECT FROM inserted i WHERE i.id = s.id)`;

const noteFunctions = (table: string) => `
  INSERT INTO functions (id, package, module, name, last_used)
  SELECT DISTINCT function, package, module, name, current_date FROM staged_${table}_calls ORDER BY 1
  ON CONFLICT (id) DO UPDATE SET last_used = excluded.last_used
  WHERE functions.last_used < excluded.last_used`;

const insertCalls = (table: string, functions: string) => `
  INSERT INTO ${functions} (function, id, token)
  SELECT c.function, c.id, c.token FROM staged_${table}_calls c JOIN staged_${table} USING (id)
  ORDER BY 1, 2 ON CONFLICT DO NOTHING`;

const insertDecided = (table: string) => `
  INSERT INTO ${DECIDED} (${DECIDED_COLUMNS.join(', ')})
  SELECT ${DECIDED_COLUMNS.map((column) => `d.${column}`).join(', ')}
  FROM staged_${DECIDED} d JOIN staged_${table} s ON s.id = d.record
  ORDER BY d.id, d.record ON CONFLICT DO NOTHING`;

/** An entry that cannot be read or stored. */
export interface BrokenEntry {
  readonly entry: StreamEntry;
  readonly problem: string;
}

const BROKEN_COLUMNS = ['stream', 'entry', 'fields', 'problem'] as const;

/** Keeps entries that cannot be read or stored, for examination. */
export async function keepBrokenEntries(
  client: ClientBase,
  stream: string,
  broken: readonly BrokenEntry[],
): Promise<void> {
  if (broken.length === 0) return;
  await prepareStage(client, 'broken_entries');
  const rows = broken.map(({ entry: { id, pairs }, problem }) => {
    return { stream, entry: id, fields: { json: pairs }, problem };
  });
  await copyRows(client, 'staged_broken_entries', BROKEN_COLUMNS, rows);
  const columns = BROKEN_COLUMNS.join(', ');
  await client.query(`INSERT INTO broken_entries (${columns}) SELECT ${columns} FROM staged_broken_entries
    ON CONFLICT DO NOTHING`);
}

/**
 * Makes the temporary table `staged_<name>` of the connection, unless it has that. It is empty at the end of
 * every transaction. Its columns are by default those of the table `name`.
 */
async function prepareStage(
  client: ClientBase,
  name: string,
  columns = `LIKE ${name} INCLUDING GENERATED INCLUDING DEFAULTS`,
): Promise<void> {
  const stage = `staged_${name}`;
  const found = await client.query('SELECT to_regclass($1) AS found', [`pg_temp.${stage}`]);
  if ((found.rows[0] as { found: unknown }).found !== null) return;
  await client.query(`CREATE TEMPORARY TABLE ${stage} (${columns}) ON COMMIT DELETE ROWS`);
}
