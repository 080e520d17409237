import { describe, expect, it } from '@jest/globals';
import { only } from '@forecourt/testing/redis';
import { quarantineExecution } from '../executions/quarantines.js';
import { refuseExecution } from '../executions/unsettled-executions.js';
import { settleExecutions } from '../executions/settle-executions.js';
import { eventsOf, entriesOf } from './entries.test-support.js';
import { historyStreamKey, setHistoryBacklog } from './history-stream.js';
import {
  aReservation,
  anExecution,
  begin,
  claimedBy,
  type Reserved,
  settlementOf,
} from './recorded-reservations.test-support.js';
import { findReservationOf, listReservations, readSponsorships } from './stored-sponsorships.js';
import {
  everybody,
  caller,
  claim,
  reserve,
  retentionMs,
  useTestStore,
} from '../pool.test-support.js';
import { releaseReservation } from '../reservations/release-reservations.js';
import { reserveGas } from '../reservations/reserve-gas.js';

const store = useTestStore();

const factsOf = async ({ redis, sponsor, reservationId }: Reserved) =>
  (await readSponsorships(redis, sponsor, [reservationId], everybody))[0];

describe('the facts about an open sponsorship', () => {
  it('follow it through its states', async () => {
    const reserved = await aReservation(store);
    const { redis, sponsor, facts } = reserved;
    const unused = { ...facts, ended: '', result: '', counted: '', rule: '', executor: '' };
    const unbound = { ...unused, state: 'reserved', digest: '', transaction: '', trail: '' };
    expect(await factsOf(reserved)).toEqual(unbound);

    const job = await begin(reserved, 'D1');
    const bound = { digest: 'D1', transaction: 'tx of D1', rule: 'ours', executor: 'ex-1' };
    const executing = await factsOf(reserved);
    expect(executing).toMatchObject({ ...bound, state: 'executing', ended: '' });
    expect(eventsOf(executing!.trail)).toEqual([claimedBy('D1'), 'begun']);

    await refuseExecution(redis, sponsor, { ...job, message: 'no', retentionMs });
    const refused = await factsOf(reserved);
    expect(refused).toMatchObject({ state: 'reserved', digest: 'D1', transaction: 'tx of D1' });
    expect(eventsOf(refused!.trail)).toEqual([claimedBy('D1'), 'begun', 'refused D1 no']);

    const second = await begin(reserved, 'D2');
    const note = { ...second, message: 'locked', epoch: 1n, submissions: [3] };
    await quarantineExecution(redis, sponsor, note);
    const quarantined = await factsOf(reserved);
    const other = { ...bound, digest: 'D2', transaction: 'tx of D2' };
    expect(quarantined).toMatchObject({ ...other, state: 'quarantined' });
    expect(eventsOf(quarantined!.trail).slice(3)).toEqual([
      'submitted',
      'quarantined locked',
      claimedBy('D2'),
      'begun',
    ]);
  });

  it('are there without history, but for what came before a refusal', async () => {
    const execution = await anExecution(store);
    const { redis, sponsor, job } = execution;
    await setHistoryBacklog(redis, sponsor, null);
    expect(await factsOf(execution)).toMatchObject({ state: 'executing', digest: 'D1' });
    await refuseExecution(redis, sponsor, { ...job, message: 'no', retentionMs });
    expect(await factsOf(execution)).toMatchObject({ state: 'reserved', digest: '', trail: '' });
  });

  it('are those of its entry once it has ended, and none for unknown or forgotten ones', async () => {
    const execution = await anExecution(store);
    const { redis, sponsor, reservationId } = execution;
    await only(settleExecutions(redis, sponsor, [settlementOf(execution)]));
    const [entry] = await entriesOf(redis, sponsor);
    const ids = [reservationId + 64, reservationId];
    expect(await readSponsorships(redis, sponsor, ids, everybody)).toEqual([null, entry]);
    expect(await readSponsorships(redis, sponsor, [], everybody)).toEqual([]);
    await redis.xtrim(historyStreamKey(sponsor), 'MAXLEN', 0);
    expect(await readSponsorships(redis, sponsor, ids, everybody)).toEqual([null, null]);
  });
});

describe('the facts for a viewer', () => {
  it('are those of the sponsorships that it may see only, open and ended', async () => {
    const user = `0x${'a'.repeat(64)}`;
    const long = 'n'.repeat(300);
    const callers = ['shop', `shop:${user}`, 'shopping', 'tab\tshop', long];
    const { redis } = store;
    const { sponsor } = await store.aPool(...callers.map(() => 1_000_000));
    await setHistoryBacklog(redis, sponsor, 100);
    const ids: number[] = [];
    for (const name of callers) {
      const request = { caller: name, gasBudget: 500_000, durationMs: 60_000 };
      const [reserved] = await reserveGas(redis, sponsor, [request]);
      ids.push(reserved!.reservationId);
    }
    const seen = async (token: string | null, viewedUser: string | null = null) => {
      const viewer = { token, user: viewedUser };
      const facts = await readSponsorships(redis, sponsor, ids, viewer);
      return callers.filter((_, index) => facts[index] !== null);
    };
    for (const state of ['open', 'ended']) {
      if (state === 'ended') {
        for (const [index, name] of callers.entries()) {
          const release = { reservationId: ids[index]!, caller: name, retentionMs };
          await releaseReservation(redis, sponsor, release);
        }
      }
      expect(await seen(null)).toEqual(callers);
      expect(await seen('shop')).toEqual(['shop', `shop:${user}`]);
      expect(await seen('shop', user)).toEqual([`shop:${user}`]);
      expect(await seen('tab\tshop')).toEqual(['tab\tshop']);
      expect(await seen(long)).toEqual([long]);
      expect(await seen('sho')).toEqual([]);
    }
  });
});

describe('the way from a digest to its reservation', () => {
  it('leads there while it is open, and once it has ended even after its claim is forgotten', async () => {
    const execution = await anExecution(store);
    const { redis, sponsor, reservationId } = execution;
    expect(await findReservationOf(redis, sponsor, 'D1')).toBe(reservationId);
    await only(settleExecutions(redis, sponsor, [settlementOf(execution)]));
    await redis.del(`fc:{${sponsor}}:claimed-by:D1`);
    expect(await findReservationOf(redis, sponsor, 'D1')).toBe(reservationId);
    expect(await findReservationOf(redis, sponsor, 'D2')).toBeNull();
  });
});

describe('the list of a pool’s reservations', () => {
  it('has every open one and the latest ended ones, below a bound', async () => {
    const { redis } = store;
    const { sponsor } = await store.aPool(700_000, 700_000, 700_000, 700_000);
    await setHistoryBacklog(redis, sponsor, 100);
    const ended: number[] = [];
    for (let n = 0; n < 3; n++) {
      const { reservationId } = await reserve(redis, sponsor);
      await releaseReservation(redis, sponsor, { reservationId, caller, retentionMs });
      ended.unshift(reservationId);
    }
    const open = [await reserve(redis, sponsor), await reserve(redis, sponsor)];
    const ids = open.map(({ reservationId }) => reservationId);
    await claim(redis, sponsor, ids[0]!, 'D1');
    const all = { before: Number.MAX_SAFE_INTEGER, limit: 2 };
    const listed = await listReservations(redis, sponsor, all);
    expect(listed).toEqual({ open: expect.arrayContaining(ids), ended: ended.slice(0, 2) });
    expect(listed.open).toHaveLength(2);
    const below = { before: ids[1]!, limit: 100 };
    expect(await listReservations(redis, sponsor, below)).toEqual({ open: [ids[0]], ended });
    const older = { before: ended[1]!, limit: 100 };
    expect(await listReservations(redis, sponsor, older)).toEqual({ open: [], ended: [ended[2]] });
    const oldest = { before: ended[2]!, limit: 1, order: 'oldest' } as const;
    const risen = await listReservations(redis, sponsor, oldest);
    expect(risen).toEqual({ open: expect.arrayContaining(ids), ended: [ended[1]] });
    const latest = { before: ids[0]!, limit: 100, order: 'oldest' } as const;
    expect(await listReservations(redis, sponsor, latest)).toEqual({ open: [ids[1]], ended: [] });
  });
});
