import { createDatabase, databaseUrl, dropDatabase } from '@forecourt/postgres';
import { TemporaryFolder, usePostgres } from '@forecourt/testing/jest';
import { afterAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { chooseDatabase } from './choose-database.js';

const folder = new TemporaryFolder();
const postgres = usePostgres();
afterAll(() => folder.remove());
const testnet = { chainIdentifier: async () => '2304aa97' };
const databaseOf = (name: string) => `local_ledger_of_${name}`.slice(0, 63);
const choose = (given: string | undefined, ledger?: typeof testnet) =>
  chooseDatabase({ databaseUrl: given, dataFolder: folder.path }, ledger);

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

async function run(url: string, sql: string): Promise<unknown[]> {
  const client = await connect(url);
  return client
    .query<object>(sql)
    .then(({ rows }) => rows)
    .finally(() => client.end());
}

describe('the database of npm start', () => {
  afterAll(() => dropDatabase(postgres.url, databaseOf(new URL(postgres.url).pathname.slice(1))));

  it('is one for each network in the private PostgreSQL; that of the local ledger begins empty', async () => {
    const { postgres: local } = await choose(undefined);
    expect(local).toMatchObject({ database: 'forecourt_local', renew: true });
    const { postgres: kept } = await choose(undefined, testnet);
    expect(kept).toEqual({ ...(local as object), database: 'forecourt_2304aa97', renew: false });
  });

  it('is the given one for a network, and a new one beside it for the local ledger', async () => {
    const given = postgres.url;
    expect(await choose(given, testnet)).toMatchObject({ databaseUrl: given });
    const first = (await choose(given)).databaseUrl!;
    expect(first).not.toBe(given);
    await run(first, 'CREATE TABLE events ()');
    await run(given, 'CREATE TABLE kept ()');
    const second = (await choose(given)).databaseUrl!;
    expect(second).toBe(first);
    await expect(run(second, 'TABLE events')).rejects.toThrow('does not exist');
    expect(await run(given, 'TABLE kept')).toEqual([]);
  });

  it('is never the given one, however long its name is', async () => {
    const name = 'n'.repeat(63);
    await createDatabase(postgres.url, name);
    const given = databaseUrl(postgres.url, name);
    await run(given, 'CREATE TABLE kept ()');
    await run((await choose(given)).databaseUrl!, 'CREATE TABLE other ()');
    expect(await run(given, 'TABLE kept')).toEqual([]);
    for (const one of [name, databaseOf(name)]) await dropDatabase(postgres.url, one);
  });

  it('is not replaced while another system uses it', async () => {
    const { databaseUrl: url } = await choose(postgres.url);
    const other = await connect(url!);
    await expect(choose(postgres.url)).rejects.toMatchObject({
      cause: { message: expect.stringContaining('is being accessed by other users') },
    });
    await other.end();
  });

  it('is refused to a user who may not create databases, with what to do', async () => {
    await run(postgres.url, `CREATE ROLE visitor LOGIN PASSWORD 'visitor'`);
    const given = Object.assign(new URL(postgres.url), {
      username: 'visitor',
      password: 'visitor',
    });
    await expect(choose(given.href)).rejects.toMatchObject({
      message: expect.stringMatching(/DATABASE_URL\. Give its user the right CREATEDB/),
      cause: { message: expect.stringMatching(/permission denied|must be owner/) },
    });
    await run(postgres.url, 'DROP ROLE visitor');
  });
});
