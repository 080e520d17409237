import { randomInt } from 'node:crypto';
import type { RefusedRequest, Sponsorship, Viewer } from '@forecourt/contracts';
import { firstReservationAt, reservedAt } from '@forecourt/sponsorship';
import { usePostgres, useStarted } from '@forecourt/testing/jest';
import { Database, migrate } from './database/database.js';
import { Partitions } from './database/partitions.js';
import { DAY_MS, refusalId } from './database/record-ids.js';
import { type IdentifiedRefusal, insertRefusals } from './writing/insert-refusals.js';
import { insertSponsorships } from './writing/insert-sponsorships.js';

export const everybody: Viewer = { token: null, user: null };

/** A database with the tables of this release. */
export interface TestTables {
  readonly database: Database;
  readonly partitions: Partitions;
  /** Writes sponsorships as history does; returns how many are new. */
  insert(sponsorships: readonly Sponsorship[]): Promise<number>;
  /** Writes sponsorships whose decision is known, one ms after their reservation. `transaction`: base64. */
  decide(sponsorships: readonly Sponsorship[], facts: string, transaction: string): Promise<number>;
  /** The same for refused requests. */
  refuse(refusals: readonly IdentifiedRefusal[]): Promise<number>;
}

/** Tables for all tests of a file. */
export function useTables(): TestTables {
  const postgres = usePostgres();
  return useStarted(
    async () => {
      const database = openDatabase(postgres.url);
      await migrate(database);
      const partitions = new Partitions(database);
      return {
        database,
        partitions,
        async insert(sponsorships: readonly Sponsorship[]) {
          await partitions.ensure(sponsorships.map(({ created_at: time }) => time));
          const records = sponsorships.map((sponsorship) => {
            return { sponsorship, decision: null, transaction: '' };
          });
          return database.transaction((client) => insertSponsorships(client, records));
        },
        async decide(
          sponsorships: readonly Sponsorship[],
          facts: string,
          transaction: string,
        ): Promise<number> {
          await partitions.ensure(sponsorships.map(({ created_at: time }) => time + 1));
          const records = sponsorships.map((sponsorship) => {
            return {
              sponsorship,
              decision: { claimedAt: sponsorship.created_at + 1, facts },
              transaction,
            };
          });
          return database.transaction((client) => insertSponsorships(client, records));
        },
        async refuse(refusals: readonly IdentifiedRefusal[]) {
          await partitions.ensure(refusals.map(({ refused: { at: time } }) => Number(time)));
          return database.transaction((client) => insertRefusals(client, refusals));
        },
      };
    },
    ({ database }) => database.close(),
  );
}

/** Sets the clock of the database, in ms since 1970. */
export async function setClock({ database }: TestTables, time: number): Promise<void> {
  await database.pool.query(
    `CREATE OR REPLACE FUNCTION now_ms() RETURNS bigint LANGUAGE sql STABLE AS 'SELECT ${time}::bigint'`,
  );
}

export function openDatabase(url: string): Database {
  return new Database({ databaseUrl: url, databaseConnections: 5 });
}

/** Noon of a day that is `days` ago. */
export function noon(days = 0): number {
  return Math.floor(Date.now() / DAY_MS) * DAY_MS - days * DAY_MS + DAY_MS / 2;
}

let sequence = 0;

/** The id of a reservation of this time, unlike every other. */
export function anId(time: number): number {
  sequence += 1;
  return firstReservationAt(time) + (sequence % 8_192);
}

/** An executed sponsorship that was reserved at a time; `over` replaces its fields. */
export function aSponsorship(time: number, over: Partial<Sponsorship> = {}): Sponsorship {
  const id = anId(time);
  const created = reservedAt(id);
  return {
    reservation_id: id,
    status: 'executed',
    outcome: 'success',
    token: 'shop',
    user: null,
    sponsor_address: '0x5',
    sender: '0xa',
    digest: `digest-${id}`,
    gas_budget: '5000000',
    reserved_balance: '18446744073709551615',
    gas_coins: [{ objectId: '0xc', version: 7, digest: 'c' }],
    gas: { computation: '1000', storage: '2000', rebate: '500', net: '2500', counted: '2500' },
    commands: ['MoveCall 0x2::coin::mint', 'TransferObjects'],
    rule: 'ours',
    refusals: [],
    failure: null,
    attempts: 1,
    executor: 'executor-1',
    request_ids: ['request-1'],
    trace_id: null,
    timeline: [
      { at: created, event: 'reserved' },
      { at: created + 5, event: 'claimed' },
      { at: created + 8, event: 'begun' },
      { at: created + 20, event: 'executed' },
    ],
    created_at: created,
    ended_at: created + 20,
    rebuilt: null,
    ...over,
  };
}

/** A request of a caller that was refused at a time; `over` replaces its fields. */
export function aRefusal(
  time: number,
  over: Partial<RefusedRequest> = {},
  commands: readonly string[] = [],
): IdentifiedRefusal {
  sequence += 1;
  const refused: RefusedRequest = {
    v: '1',
    at: String(time),
    route: 'POST /v1/execute_tx',
    token: 'shop',
    user: '',
    sender: '0xa',
    sponsor: '0x5',
    status: '403',
    code: 'FORBIDDEN',
    message: 'no',
    rule: '',
    digest: '',
    reservation: '',
    request: 'request-2',
    transaction: '',
    facts: '',
    ...over,
  };
  return { id: String(refusalId(`${time}-${sequence}`)), refused, commands };
}

/** One of the values at random. */
export function oneOf<T>(...values: readonly T[]): T {
  return values[randomInt(values.length)]!;
}
