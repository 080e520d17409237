import { HISTORY_BACKLOG_KEY } from '@forecourt/contracts';
import { describe, expect, it } from '@jest/globals';
import { entriesOf } from './entries.test-support.js';
import { announceHistory } from './history-stream.js';
import { openPool } from '../pool/stored-version.js';
import { caller, retentionMs, useTestStore } from '../pool.test-support.js';
import { releaseReservation } from '../reservations/release-reservations.js';
import { reserveGas } from '../reservations/reserve-gas.js';

const store = useTestStore();

const aRequest = { caller, gasBudget: 100_000, durationMs: 60_000 };

/** A pool of a coin-pool that is configured for history with this backlog. */
async function aPool(historyBacklog: number | null) {
  const { redis } = store;
  const { sponsor } = await store.aPool(700_000, 700_000, 700_000);
  const reserve = async () =>
    (await reserveGas(redis, sponsor, [aRequest], historyBacklog))[0]!.reservationId;
  const release = async (reservationId: number) =>
    releaseReservation(redis, sponsor, { reservationId, caller, retentionMs });
  const recorded = async () => (await entriesOf(redis, sponsor)).map(({ id }) => Number(id));
  return { redis, sponsor, reserve, release, recorded };
}

describe('the history of a pool', () => {
  it('begins with the first reservation of a coin-pool that is configured for it', async () => {
    const { reserve, release, recorded } = await aPool(100);
    const reservationId = await reserve();
    await release(reservationId);
    expect(await recorded()).toEqual([reservationId]);
  });

  it.each([null, 0])('does not begin with those of one without it (%s)', async (backlog) => {
    const { reserve, release, recorded } = await aPool(backlog);
    await release(await reserve());
    expect(await recorded()).toEqual([]);
  });

  it('has the reservations that were open when such a coin-pool opened the pool', async () => {
    const { redis, sponsor, reserve, release, recorded } = await aPool(null);
    const reservationId = await reserve();
    await openPool(redis, sponsor, 'chain', { historyBacklog: 100 });
    await release(reservationId);
    expect(await recorded()).toEqual([reservationId]);
  });

  it('begins again with the next reservation after Redis has lost that it had begun', async () => {
    const { redis, sponsor, reserve, release, recorded } = await aPool(100);
    await release(await reserve());
    await redis.del(`fc:{${sponsor}}:history-backlog`, `fc:{${sponsor}}:history`);
    const reservationId = await reserve();
    await release(reservationId);
    expect(await recorded()).toEqual([reservationId]);
  });

  it('stays off, and keeps its bound, as history has announced', async () => {
    const { redis, sponsor, reserve, release, recorded } = await aPool(100);
    await announceHistory(redis, null);
    expect(await redis.get(HISTORY_BACKLOG_KEY)).toBe('off');
    await openPool(redis, sponsor, 'chain', { historyBacklog: 100 });
    await release(await reserve());
    expect(await recorded()).toEqual([]);
    await announceHistory(redis, 1);
    expect(await redis.get(HISTORY_BACKLOG_KEY)).toBe('1');
    const first = await reserve();
    for (const reservationId of [first, await reserve()]) await release(reservationId);
    expect(await recorded()).toEqual([first]);
  });
});
