import { describe, expect, it } from '@jest/globals';
import { ProcessorShares } from './processor-shares.js';

let now = 0;
const takes = (milliseconds: number) => () => void (now += milliseconds);

describe('a share of the processor', () => {
  it('is used up by the time that is taken, and by no time of others', () => {
    const shares = new ProcessorShares(() => now);
    for (let count = 0; count < 10; count++) {
      expect(shares.hasRoom(['greedy'])).toBe(true);
      shares.measure(['greedy'], takes(120));
    }
    expect([shares.hasRoom(['greedy']), shares.hasRoom(['other'])]).toEqual([false, true]);
  });

  it('grows again by a tenth of the time', () => {
    const shares = new ProcessorShares(() => now);
    shares.measure(['late'], takes(1_300));
    now += 2_500;
    expect(shares.hasRoom(['late'])).toBe(false);
    now += 1_000;
    expect(shares.hasRoom(['late'])).toBe(true);
  });

  it('counts work that fails, and none that is short enough to be free', () => {
    const shares = new ProcessorShares(() => now);
    const fail = () => {
      now += 2_000;
      throw new Error('refused');
    };
    for (let count = 0; count < 5_000; count++) shares.measure(['short'], takes(1), 1);
    expect(shares.hasRoom(['short'])).toBe(true);
    expect(() => shares.measure(['failing'], fail, 1)).toThrow('refused');
    expect(shares.hasRoom(['failing'])).toBe(false);
  });

  it('leaves something to another user of the same token, but not to many', () => {
    const shares = new ProcessorShares(() => now);
    shares.measure(['token', 'first'], takes(1_000));
    expect(shares.hasRoom(['token', 'second'])).toBe(true);
    shares.measure(['token', 'second'], takes(1_500));
    expect(shares.hasRoom(['token', 'third'])).toBe(false);
  });
});
