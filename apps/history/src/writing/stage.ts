import type { ClientBase } from 'pg';

/** A temporary table for the rows of one transaction. `columns`: those that the table `like` does not have. */
interface Stage {
  readonly name: string;
  readonly like?: string;
  readonly columns?: string;
}

const CALLS = 'id bigint, token text, function bigint, package text, module text, name text';

const stages = {
  sponsorships: [
    { name: 'staged_sponsorships', like: 'sponsorships' },
    { name: 'staged_sponsorships_calls', columns: CALLS },
  ],
  refusals: [
    { name: 'staged_refusals', like: 'refusals' },
    { name: 'staged_refusals_calls', columns: CALLS },
  ],
  broken_entries: [{ name: 'staged_broken_entries', like: 'broken_entries' }],
} as const satisfies Record<string, readonly Stage[]>;

/** Makes the temporary tables of a connection that has none yet. They are empty at the end of every transaction. */
export async function prepareStages(client: ClientBase, of: keyof typeof stages): Promise<void> {
  for (const { name, like, columns } of stages[of] as readonly Stage[]) {
    const found = await client.query('SELECT to_regclass($1) AS found', [`pg_temp.${name}`]);
    if ((found.rows[0] as { found: unknown }).found !== null) continue;
    const fields =
      like === undefined ? columns : `LIKE ${like} INCLUDING GENERATED INCLUDING DEFAULTS`;
    await client.query(`CREATE TEMPORARY TABLE ${name} (${fields}) ON COMMIT DELETE ROWS`);
  }
}
