import { describe, expect, it } from '@jest/globals';
import { LimitReached, VisitorLimits } from './visitor-limits.js';

const LIMITS = { perAddress: 2, perClient: 3, inAll: 5, windowMs: 60_000 };

function createLimits() {
  let time = 1_000_000;
  const limits = new VisitorLimits(LIMITS, () => time);
  return {
    count: (address: string, client: string) => limits.count({ address, client }),
    pass: (ms: number) => (time += ms),
  };
}

describe('VisitorLimits', () => {
  it('VisitorLimits limits an address until the window ends', () => {
    const { count, pass } = createLimits();
    count('alice', 'c1');
    count('alice', 'c1');
    pass(20_000);
    expect(() => count('alice', 'c1')).toThrow(
      new LimitReached('You have had your 2 sponsored transactions', 40),
    );
    pass(39_999);
    expect(() => count('alice', 'c1')).toThrow(LimitReached);
    pass(1);
    expect(() => count('alice', 'c1')).not.toThrow();
  });

  it('VisitorLimits limits a client, whatever addresses it uses', () => {
    const { count } = createLimits();
    for (const address of ['a1', 'a2', 'a3']) count(address, 'c1');
    expect(() => count('a4', 'c1')).toThrow('from your network');
    expect(() => count('a4', 'c2')).not.toThrow();
  });

  it('VisitorLimits limits all clients together', () => {
    const { count } = createLimits();
    for (const client of ['c1', 'c2', 'c3', 'c4', 'c5']) count('alice', client);
    expect(() => count('alice', 'c6')).toThrow('enough transactions for now');
  });

  it('VisitorLimits counts an address separately for each client', () => {
    const { count } = createLimits();
    count('alice', 'stranger');
    count('alice', 'stranger');
    expect(() => count('alice', 'c1')).not.toThrow();
  });

  it('VisitorLimits does not count a transaction that is taken back', () => {
    const { count } = createLimits();
    count('alice', 'c1');
    const takeBack = count('alice', 'c1');
    takeBack();
    expect(() => count('alice', 'c1')).not.toThrow();
    expect(() => count('alice', 'c1')).toThrow(LimitReached);
  });

  it('VisitorLimits ignores what is taken back after its window has ended', () => {
    const { count, pass } = createLimits();
    const takeBack = count('alice', 'c1');
    pass(LIMITS.windowMs);
    count('alice', 'c1');
    count('alice', 'c1');
    takeBack();
    expect(() => count('alice', 'c1')).toThrow(LimitReached);
  });
});
