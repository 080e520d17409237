import { describe, expect, it } from '@jest/globals';
import { excludeExecution, quarantineExecution } from '../executions/quarantines.js';
import { refuseExecution } from '../executions/unsettled-executions.js';
import { settleExecution } from '../executions/settle-executions.js';
import { changesKey, type Place, readChanges } from './changes.js';
import { eventsOf } from './entries.test-support.js';
import { setHistoryBacklog } from './history-stream.js';
import { begin, passDeadline, settlementOf } from './recorded-reservations.test-support.js';
import { readSponsorships } from './stored-sponsorships.js';
import { everybody, caller, reserve, retentionMs, useTestStore } from '../pool.test-support.js';
import { expireReservations, releaseReservation } from '../reservations/release-reservations.js';
import { reserveGas } from '../reservations/reserve-gas.js';

const store = useTestStore();

/** A pool whose changes somebody follows; `next`: the facts that the next changes have. */
async function aFollowedPool(...balances: number[]) {
  const { redis } = store;
  const { sponsor } = await store.aPool(...(balances.length > 0 ? balances : [700_000]));
  await setHistoryBacklog(redis, sponsor, 100);
  let { place } = await readChanges(redis, sponsor, 'end', 100);
  const next = async () => {
    const read = await readChanges(redis, sponsor, { after: place }, 100);
    place = read.place;
    expect([read.isGap, read.isPart]).toEqual([false, false]);
    return read.changes.map(({ pairs }) => factsOf(pairs));
  };
  return { redis, sponsor, next, begun: { after: place } };
}

function factsOf(pairs: readonly string[]): Record<string, string> {
  const names = pairs.filter((_, index) => index % 2 === 0);
  return Object.fromEntries(names.map((name, index) => [name, pairs[2 * index + 1]!]));
}

const statesOf = (changes: readonly Record<string, string>[]) => changes.map(({ state }) => state);

async function aReservationIn({ redis, sponsor }: Awaited<ReturnType<typeof aFollowedPool>>) {
  const { reservationId, coins } = await reserve(redis, sponsor);
  return { redis, sponsor, reservationId, coins };
}

describe('the changes of a pool that somebody follows', () => {
  it('have every state of a sponsorship with the facts of that time, once each', async () => {
    const pool = await aFollowedPool();
    const { redis, sponsor, next } = pool;
    const reserved = await aReservationIn(pool);
    const stored = async () => {
      const [facts] = await readSponsorships(redis, sponsor, [reserved.reservationId], everybody);
      return facts;
    };
    const [first, ...others] = await next();
    expect(others).toEqual([]);
    expect(await stored()).toMatchObject(first!);
    const job = await begin(reserved, 'D1');
    const [claimed, executing] = await next();
    expect([claimed!['state'], claimed!['trail']]).toEqual([
      'claimed',
      expect.stringMatching(/^\d+\tclaimed\tD1\t/),
    ]);
    expect(executing).toEqual(await stored());
    const settlement = settlementOf({ ...reserved, job });
    await settleExecution(redis, sponsor, settlement);
    await settleExecution(redis, sponsor, settlement);
    const [executed, ...more] = await next();
    expect(more).toEqual([]);
    expect(await stored()).toMatchObject(executed!);
    expect(executed).toMatchObject({ state: 'executed', transaction: 'tx of D1', counted: '12' });
    expect(await next()).toEqual([]);
  });

  it('have refusals, quarantines and ends without an execution', async () => {
    const pool = await aFollowedPool(700_000, 700_000, 700_000);
    const { redis, sponsor, next } = pool;
    const reserved = await aReservationIn(pool);
    const refused = await begin(reserved, 'D1');
    await refuseExecution(redis, sponsor, { ...refused, message: 'no', retentionMs });
    expect(statesOf(await next())).toEqual(['reserved', 'claimed', 'executing', 'reserved']);
    const conflict = await begin(reserved, 'D2');
    await quarantineExecution(redis, sponsor, { ...conflict, message: 'locked', epoch: 1n });
    await excludeExecution(redis, sponsor, conflict);
    await excludeExecution(redis, sponsor, conflict);
    const quarantined = await next();
    expect(statesOf(quarantined)).toEqual(['claimed', 'executing', 'quarantined', 'quarantined']);
    expect(eventsOf(quarantined.at(-1)!['trail']!)).toContain('refused D2 locked');
    const overdue = await aReservationIn(pool);
    const late = await begin(overdue, 'D3');
    await passDeadline(overdue);
    await refuseExecution(redis, sponsor, { ...late, message: 'late', retentionMs });
    expect(statesOf(await next())).toEqual(['reserved', 'claimed', 'executing', 'expired']);
    const { reservationId } = await aReservationIn(pool);
    await releaseReservation(redis, sponsor, { reservationId, caller, retentionMs });
    await reserve(redis, sponsor, 500_000, 0);
    await expireReservations(redis, sponsor, { limit: 10, retentionMs });
    const unused = await next();
    expect(statesOf(unused)).toEqual(['reserved', 'released', 'reserved', 'expired']);
  });

  it('are there while history is off', async () => {
    const pool = await aFollowedPool();
    const { redis, sponsor, next } = pool;
    await setHistoryBacklog(redis, sponsor, null);
    const reserved = await aReservationIn(pool);
    const job = await begin(reserved, 'D1');
    await settleExecution(redis, sponsor, settlementOf({ ...reserved, job }));
    const changes = await next();
    expect(statesOf(changes)).toEqual(['reserved', 'claimed', 'executing', 'executed']);
    expect(changes.at(-1)!['transaction']).toBe('tx of D1');
    expect(await redis.exists(`fc:{${sponsor}}:history`, payloadOf(reserved))).toBe(0);
  });

  it('leave out health checks', async () => {
    const { redis, sponsor, next } = await aFollowedPool();
    const check = { caller: 'health-check', gasBudget: 1, durationMs: 60_000 };
    const [reserved] = await reserveGas(redis, sponsor, [check]);
    const release = { ...check, reservationId: reserved!.reservationId, retentionMs };
    expect(await releaseReservation(redis, sponsor, release)).toBe(true);
    expect(await next()).toEqual([]);
  });

  it('take a bounded part of the memory when transactions are large', async () => {
    const pool = await aFollowedPool();
    const { redis, sponsor, begun } = pool;
    const large = 'x'.repeat(400_000);
    for (let count = 0; count < 60; count++) {
      const reserved = await aReservationIn(pool);
      const job = await begin(reserved, `${count}${large}`);
      await settleExecution(redis, sponsor, settlementOf({ ...reserved, job }));
      // Somebody goes on following, however long this takes.
      await readChanges(redis, sponsor, 'end', 1);
    }
    expect(await redis.memory('USAGE', changesKey(sponsor), 'SAMPLES', 0)).toBeLessThan(2 ** 26);
    const { isGap, changes } = await readChanges(redis, sponsor, begun, 5_000);
    expect([isGap, factsOf(changes.at(-1)!.pairs)['state']]).toEqual([true, 'executed']);
  });

  it('never stop sponsoring, whatever their keys hold', async () => {
    const pool = await aFollowedPool();
    const { redis, sponsor } = pool;
    await redis.set(changesKey(sponsor), 'no stream');
    const reserved = await aReservationIn(pool);
    const job = await begin(reserved, 'D1');
    await settleExecution(redis, sponsor, settlementOf({ ...reserved, job }));
    const [facts] = await readSponsorships(redis, sponsor, [reserved.reservationId], everybody);
    expect(facts).toMatchObject({ state: 'executed' });
  });
});

const payloadOf = ({ sponsor, reservationId }: { sponsor: string; reservationId: number }) =>
  `fc:{${sponsor}}:payload:${reservationId}`;

/** Commands that run the scripts, and those of this test. */
const OVERHEAD = /^(info|eval|evalsha|config.*)$/;

describe('a pool without a follower', () => {
  /** The commands of a sponsored transaction, and how often each was called. */
  async function commandsOf(pool: Awaited<ReturnType<typeof aFollowedPool>>) {
    const { redis, sponsor } = pool;
    await redis.config('RESETSTAT');
    const reserved = await aReservationIn(pool);
    const job = await begin(reserved, 'D1');
    await settleExecution(redis, sponsor, settlementOf({ ...reserved, job }));
    const stats = await redis.info('commandstats');
    return new Map(
      [...stats.matchAll(/cmdstat_(\w+):calls=(\d+)/g)].map((one) => [one[1]!, +one[2]!]),
    );
  }

  it('runs no command for the changes', async () => {
    const withFollower = await commandsOf(await aFollowedPool());
    const other = await aFollowedPool();
    const { redis, sponsor } = other;
    await redis.del(`fc:{${sponsor}}:followed`, changesKey(sponsor));
    const without = await commandsOf(other);
    const more = [...withFollower].flatMap(([name, calls]) => {
      const difference = calls - (without.get(name) ?? 0);
      return difference === 0 || OVERHEAD.test(name) ? [] : [[name, difference]];
    });
    // A change each for reserve, claim, begin and settle, and what claim and begin read for theirs.
    expect(Object.fromEntries(more)).toEqual({ xadd: 4, mget: 2 });
    // The entry of history.
    expect(without.get('xadd')).toBe(1);
    // One that reads the reservation in each script, with both switches, and that of reserve.
    expect(without.get('mget')).toBe(5);
    expect(await redis.exists(changesKey(sponsor))).toBe(0);
  });

  it('begins a stream for a follower, and ends it a while after the last one', async () => {
    const { redis, sponsor } = await aFollowedPool();
    for (const [name, most] of [
      ['followed', 60_000],
      ['changes', 120_000],
    ] as const) {
      const left = await redis.pttl(`fc:{${sponsor}}:${name}`);
      expect(left).toBeGreaterThan(most - 10_000);
      expect(left).toBeLessThanOrEqual(most);
    }
  });
});

describe('a follower', () => {
  it('goes on from any change, and sees those after it', async () => {
    const pool = await aFollowedPool();
    const { redis, sponsor, begun } = pool;
    const reserved = await aReservationIn(pool);
    await begin(reserved, 'D1');
    const read = (place: Place, limit = 100) => readChanges(redis, sponsor, place, limit);
    const all = await read(begun);
    expect(all.changes).toHaveLength(3);
    for (const [index, { id }] of all.changes.entries()) {
      expect(await read({ after: id })).toEqual({
        ...all,
        changes: all.changes.slice(index + 1),
      });
    }
    const part = await read(begun, 2);
    expect(part).toMatchObject({ changes: all.changes.slice(0, 2), isGap: false, isPart: true });
    expect(part.place).toBe(all.changes[1]!.id);
    expect(await read('end')).toMatchObject({ changes: [], place: all.place, isGap: false });
    expect(await read('beginning')).toEqual(all);
  });

  it('finds a gap where changes are no longer held, were lost, or had no follower', async () => {
    const pool = await aFollowedPool();
    const { redis, sponsor, begun } = pool;
    const reserved = await aReservationIn(pool);
    await begin(reserved, 'D1');
    const stream = changesKey(sponsor);
    const read = (place: Place) => readChanges(redis, sponsor, place, 100);
    const { changes, place } = await read(begun);
    await redis.xtrim(stream, 'MAXLEN', 2);
    const left = { isGap: true, changes: changes.slice(1), place };
    expect(await read(begun)).toMatchObject(left);
    expect(await read('beginning')).toMatchObject(left);
    expect(await read({ after: changes[1]!.id })).toMatchObject({ isGap: false });
    await redis.xdel(stream, place);
    expect(await read({ after: place })).toMatchObject({ isGap: true, place: changes[1]!.id });
    await redis.del(`fc:{${sponsor}}:followed`);
    const restarted = await read({ after: changes[1]!.id });
    expect(restarted).toMatchObject({ isGap: true, changes: [] });
    expect(await read({ after: restarted.place })).toMatchObject({ isGap: false, changes: [] });
    expect(await read('beginning')).toMatchObject({ isGap: false, changes: [] });
  });
});
