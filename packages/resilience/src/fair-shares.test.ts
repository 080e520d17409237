import { describe, expect, it } from '@jest/globals';
import { FairShares } from './fair-shares.js';

/** How much a client gets that takes until it is refused. */
function takeAll(shares: FairShares, ...client: string[]): number {
  let taken = 0;
  while (shares.take(client)) taken += 1;
  return taken;
}

describe('shares', () => {
  it('leave half of the total to others where the share is a half', () => {
    expect(takeAll(new FairShares({ total: 16, share: 1 / 2 }), 'a')).toBe(8);
  });

  it('leave something for a newcomer after 32 clients have taken all they get', () => {
    const shares = new FairShares({ total: 1_024, share: 1 / 16 });
    for (let client = 0; client < 32; client++) takeAll(shares, `client ${client}`);
    expect(takeAll(shares, 'newcomer')).toBeGreaterThan(1);
  });

  it('are no larger for a token with many users', () => {
    const shares = new FairShares({ total: 16, share: 1 / 2 });
    let taken = 0;
    for (let user = 0; user < 100; user++) taken += takeAll(shares, 'token', `user ${user}`);
    expect(taken).toBeLessThanOrEqual(8);
    expect(takeAll(shares, 'other')).toBe(4);
  });

  it('leave something for another user of the same token', () => {
    const shares = new FairShares({ total: 16, share: 1 / 2 });
    expect(takeAll(shares, 'token', 'first')).toBe(4);
    expect(takeAll(shares, 'token', 'second')).toBe(2);
  });

  it.each([1 / 2, 1 / 8, 1 / 16])(
    'of %d are as large for the only network of a wider one as for an address',
    (share) => {
      const shares = () => new FairShares({ total: 1_024, share });
      const ofAddress = takeAll(shares(), '203.0.113.1');
      const ofNetwork = takeAll(shares(), '2001:db8::/48', '2001:db8::/64');
      expect(ofNetwork).toBe(Math.min(ofAddress, 256));
    },
  );

  it('are at most twice as large for a network with many narrower ones', () => {
    const shares = new FairShares({ total: 1_024, share: 1 / 16 });
    for (let part = 0; part < 32; part++) takeAll(shares, '2001:db8::/48', `part ${part}`);
    expect(shares.held).toBeLessThanOrEqual(128);
  });

  it('leave something for another network of the same wider one', () => {
    const shares = new FairShares({ total: 1_024, share: 1 / 16 });
    takeAll(shares, '2001:db8::/48', 'first');
    expect(takeAll(shares, '2001:db8::/48', 'second')).toBe(32);
  });

  it('grant one large request to a client that holds nothing, and no second one', () => {
    const shares = new FairShares({ total: 1_000, share: 1 / 16 });
    expect(shares.take(['a'], 200)).not.toBeNull();
    expect(shares.take(['a'])).toBeNull();
    expect(shares.take(['b'], 801)).toBeNull();
  });

  it('grow as long as there is room, and are free again after one release', () => {
    const shares = new FairShares({ total: 16, share: 1 / 2 });
    const other = shares.take(['a'], 1)!;
    const hold = shares.take(['a'], 4)!;
    expect([hold.grow(3), hold.grow(1), shares.held]).toEqual([true, false, 8]);
    hold.release();
    hold.release();
    other.release();
    expect([shares.held, takeAll(shares, 'a')]).toEqual([0, 8]);
  });

  it('do not keep the only request of a client from growing, but the total does', () => {
    const shares = new FairShares({ total: 16, share: 1 / 2 });
    const hold = shares.take(['a'], 1)!;
    expect([hold.grow(14), hold.grow(2)]).toEqual([true, false]);
  });

  it('are a fixed number for each client, whatever others hold', () => {
    const shares = FairShares.each(3);
    expect([takeAll(shares, 'a'), takeAll(shares, 'b')]).toEqual([3, 3]);
    const more = new FairShares({ total: 4, share: 1, perClient: 3 });
    expect([takeAll(more, 'a'), takeAll(more, 'b')]).toEqual([3, 1]);
  });
});
