import type { StoredEventRecord } from '@forecourt/contracts';
import type { EventsIndex } from '@forecourt/contracts/http';
import { digestInBase58 } from '@forecourt/client/digests';
import { IotaClient } from '@iota/iota-sdk/client';
import { Database } from '@forecourt/history/database';
import { databaseUrl, dropDatabase } from '@forecourt/postgres';
import { TemporaryFolder, usePostgres, useStarted } from '@forecourt/testing/jest';
import { freePort, waitUntil } from '@forecourt/testing/system';
import { expect, it } from '@jest/globals';
import { call } from '../../support/application.js';
import { getAllEvents } from '../../support/events-client.js';
import { EventsSocket } from '../../support/events-socket.js';
import { startOneMore } from '../../support/start-one-more.js';
import { runStart, type Started, startUp } from './run-start.js';

const STARTS_MS = 900_000;

/** A network that outlives the starts, unlike the local ledger. */
const network = useStarted(
  async () => {
    const faucetPort = String(await freePort());
    const devnet = await startOneMore('devnet', (port) => ({
      DEVNET_RPC_PORT: port,
      DEVNET_FAUCET_PORT: faucetPort,
      DEVNET_CONTROL_PORT: 'off',
    }));
    return { devnet, faucetUrl: `http://127.0.0.1:${faucetPort}` };
  },
  ({ devnet }) => devnet.stop(),
);

/** A database that DATABASE_URL names. */
const given = usePostgres();

/** Whether history has made its tables in a database. */
async function hasTables(url: string): Promise<boolean> {
  const database = new Database({ databaseUrl: url, databaseConnections: 3 });
  const { rows } = await database.pool.query(
    "SELECT 1 WHERE to_regclass('sponsorships') IS NOT NULL",
  );
  await database.close();
  return rows.length > 0;
}

async function read<T>({ gatewayUrl: url, token }: Started, path: string): Promise<T> {
  const { status, body } = await call({ url, token }, 'GET', path);
  if (status !== 200) throw new Error(`${path} answered ${status} ${JSON.stringify(body)}`);
  return body.result as unknown as T;
}

/** The transactions that history has, after as many starts with this ledger; each sponsors one. */
async function sponsoredIn(started: Started, starts: number): Promise<string[]> {
  let found: readonly { readonly digest: string }[] = [];
  await waitUntil(
    async () => {
      const path = '/v1/sponsorships?status=executed';
      found = (await read<{ data: typeof found }>(started, path)).data;
      return found.length >= starts;
    },
    { what: 'the sponsorships' },
  );
  return found.map(({ digest }) => digest);
}

/** All events of the queries, once they have those of the ledger's newest checkpoint. */
async function eventsIn(started: Started, ledger: IotaClient): Promise<StoredEventRecord[]> {
  const latest = Number(await ledger.getLatestCheckpointSequenceNumber());
  let events: StoredEventRecord[] = [];
  let failure: unknown = null;
  const newest = () =>
    Math.max(...events.map(({ event }) => ('checkpoint' in event ? event.checkpoint : -1)));
  try {
    await waitUntil(async () => {
      events = await getAllEvents(started.gatewayUrl, 'All').catch((error) => {
        failure = error;
        return [];
      });
      return newest() >= latest;
    });
  } catch (cause) {
    const index = await read<EventsIndex>(started, '/v1/events_index').catch(String);
    const state = JSON.stringify({ latest, newest: newest(), failure: String(failure), index });
    throw new Error(`the queries do not show the newest checkpoint: ${state}`, { cause });
  }
  return events;
}

/** Expects a subscription with a past position to deliver what queries show. */
async function expectSubscription(
  { gatewayUrl }: Started,
  events: readonly StoredEventRecord[],
): Promise<void> {
  const socket = await EventsSocket.open(gatewayUrl);
  await socket.subscribe({ EventType: 'Checkpoint' }, events[0]!.id);
  const later = events.slice(1).filter(({ event }) => 'checkpoint' in event);
  expect(await socket.records(later.length)).toEqual(later);
  socket.close();
}

/** Starts, looks at everything that shows the ledger, and stops. Returns the sponsored transactions. */
async function expectOwnLedgerOnly(
  dataFolder: string,
  starts: number,
  env: NodeJS.ProcessEnv = {},
): Promise<readonly string[]> {
  const started = await startUp(dataFolder, env);
  try {
    expect(started.said).toContain('live event over the WebSocket');
    const ledger = new IotaClient({ url: started.ledgerUrl });
    const sponsored = await sponsoredIn(started, starts);
    expect(sponsored).toHaveLength(starts);
    const events = await eventsIn(started, ledger);
    const digests = [...new Set(events.map(({ txDigest }) => digestInBase58(txDigest)))];
    expect(digests).toEqual(expect.arrayContaining(sponsored));
    for (const digest of digests) {
      expect((await ledger.getTransactionBlock({ digest })).digest).toBe(digest);
    }
    await expectSubscription(started, events);
    const index = await read<EventsIndex>(started, '/v1/events_index');
    expect(index).toMatchObject({ holes: [], other_ledger_nodes: [] });
    return sponsored;
  } finally {
    await started.stop();
  }
}

it(
  'npm start shows the events and sponsorships of its ledger only, whichever ledgers it had before',
  async () => {
    const data = new TemporaryFolder();
    const other = { LEDGER_URL: network.devnet.url, FAUCET_URL: network.faucetUrl };
    try {
      const [first] = await expectOwnLedgerOnly(data.path, 1);
      const [second] = await expectOwnLedgerOnly(data.path, 1);
      expect(second).not.toBe(first);
      const [kept] = await expectOwnLedgerOnly(data.path, 1, other);
      await expectOwnLedgerOnly(data.path, 1);
      expect(await expectOwnLedgerOnly(data.path, 2, other)).toContain(kept);
    } finally {
      data.remove();
    }
  },
  STARTS_MS,
);

it(
  'npm start with DATABASE_URL keeps the local ledger out of that database',
  async () => {
    const { url } = given;
    const name = `local_ledger_of_${new URL(url).pathname.slice(1)}`;
    const data = new TemporaryFolder();
    try {
      for (let starts = 0; starts < 2; starts++) {
        const { code, result } = await runStart({ DATABASE_URL: url, FORECOURT_DATA: data.path });
        expect([code, result['event']]).toEqual([0, expect.any(Object)]);
      }
      expect(await hasTables(url)).toBe(false);
      expect(await hasTables(databaseUrl(url, name))).toBe(true);
    } finally {
      await dropDatabase(url, name);
      data.remove();
    }
  },
  STARTS_MS,
);
