import type { ClientBase } from 'pg';
import { type Cell, copyRows } from '@forecourt/database';
import type { BrokenEntry } from './read-entries.js';
import { prepareStages } from './stage.js';

const COLUMNS = ['stream', 'entry', 'fields', 'problem'];

/** Keeps entries that cannot be read or stored, for examination. */
export async function keepBrokenEntries(
  client: ClientBase,
  stream: string,
  broken: readonly BrokenEntry[],
): Promise<void> {
  if (broken.length === 0) return;
  await prepareStages(client, 'broken_entries');
  const rows = broken.map(({ entry, problem }): Cell[] => [
    stream,
    entry.id,
    { json: entry.pairs },
    problem,
  ]);
  await copyRows(client, 'staged_broken_entries', COLUMNS, rows);
  const columns = COLUMNS.join(', ');
  await client.query(`INSERT INTO broken_entries (${columns}) SELECT ${columns} FROM staged_broken_entries
    ON CONFLICT DO NOTHING`);
}
