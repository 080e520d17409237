import { releaseReservation, reserveGas } from '@forecourt/coin-store';
import type { Viewer } from '@forecourt/contracts';
import { describe, expect, it } from '@jest/globals';
import { type TestPool, useTestFleet } from '../test-fleet.test-support.js';

const fleet = useTestFleet();
const USER = `0x${'a'.repeat(64)}`;

async function reserveAndRelease({ redis, sponsor }: TestPool, caller: string): Promise<string> {
  const request = { caller, gasBudget: 1_000, durationMs: 60_000 };
  const [reserved] = await reserveGas(redis, sponsor, [request]);
  const { reservationId } = reserved!;
  await releaseReservation(redis, sponsor, { reservationId, caller, retentionMs: 60_000 });
  return String(reservationId);
}

describe('the changes for a viewer', () => {
  it('leave out what it may not see, and go on after it', async () => {
    const pool = await fleet.aPool([2_000_000_000n, 2_000_000_000n], { targetBalance: 10n ** 9n });
    await pool.correction.adoptNewCoins(pool.sponsor);
    const read = async (after: Readonly<Record<string, string>>, viewer?: Viewer) => {
      const message = { after, ...(viewer && { viewer }) };
      const { streams } = await pool.sponsorships.readChanges(message);
      const { name, changes, place } = streams.find(({ sponsor }) => sponsor === pool.sponsor)!;
      const ids = changes.map(({ pairs }) => pairs[pairs.indexOf('id') + 1]);
      return { ids: [...new Set(ids)], place, name };
    };
    const { name, place: begin } = await read({});
    const [shop, user, other] = [
      await reserveAndRelease(pool, 'shop'),
      await reserveAndRelease(pool, `shop:${USER}`),
      await reserveAndRelease(pool, 'other'),
    ];
    const after = { [name]: begin };
    const everything = await read(after);
    expect(everything.ids).toEqual([shop, user, other]);
    const { place } = everything;
    const seen = async (viewer: Viewer) => {
      const found = await read(after, viewer);
      expect(found.place).toBe(place);
      return found.ids;
    };
    expect(await seen({ token: null, user: null })).toEqual([shop, user, other]);
    expect(await seen({ token: 'shop', user: null })).toEqual([shop, user]);
    expect(await seen({ token: 'shop', user: USER })).toEqual([user]);
    expect(await seen({ token: 'nobody', user: null })).toEqual([]);
  });
});
