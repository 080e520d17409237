import { HISTORY_BACKLOG_KEY } from '@forecourt/contracts';
import { waitUntil } from '@forecourt/testing/system';
import { afterEach, describe, expect, it } from '@jest/globals';
import { useTestFleet } from '../test-fleet.test-support.js';

const fleet = useTestFleet();
afterEach(() => fleet.redis.del(HISTORY_BACKLOG_KEY));

const backlogOf = (sponsor: string) => fleet.redis.get(`fc:{${sponsor}}:history-backlog`);

describe('the leader of a pool', () => {
  it('turns history on, changes its bound and turns it off as the fleet’s key says', async () => {
    const pool = await fleet.aPool([2_000_000_000n]);
    const leader = pool.leader();
    leader.start();
    try {
      for (const backlog of ['5000', '20', null]) {
        if (backlog === null) await fleet.redis.del(HISTORY_BACKLOG_KEY);
        else await fleet.redis.set(HISTORY_BACKLOG_KEY, backlog);
        await waitUntil(async () => (await backlogOf(pool.sponsor)) === backlog);
      }
    } finally {
      await leader.stop();
    }
    const logged = pool.logged.filter(({ message }) => message.startsWith('History is'));
    expect(logged.map(({ backlog }) => backlog)).toEqual([5_000, 20, null]);
  });

  it.each(['', '0', '-1', 'many', '1e3'])('takes the bound %j as off', async (stored) => {
    const { historySwitch, sponsor } = await fleet.aPool([]);
    await fleet.redis.set(HISTORY_BACKLOG_KEY, '7');
    await historySwitch.follow({ sponsor, historyBacklog: null });
    expect(await backlogOf(sponsor)).toBe('7');
    await fleet.redis.set(HISTORY_BACKLOG_KEY, stored);
    await historySwitch.follow({ sponsor, historyBacklog: 7 });
    expect(await backlogOf(sponsor)).toBeNull();
  });
});
