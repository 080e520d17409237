import { describe, expect, it } from '@jest/globals';
import { FairBulkhead, NoPlace } from './fair-bulkhead.js';

const PLACES = 8;

/** A bulkhead whose calls end when they are ended, in the order of their start. */
function aBulkhead() {
  const bulkhead = new FairBulkhead(PLACES);
  const running: { by: string[]; end: () => void }[] = [];
  const refused: string[] = [];
  const start = (by: string[], count: number) => {
    for (let i = 0; i < count; i++) {
      const call = () => new Promise<void>((resolve) => running.push({ by, end: resolve }));
      bulkhead.run(by, call).catch((error: unknown) => {
        if (!(error instanceof NoPlace)) throw error;
        refused.push(by.at(-1)!);
      });
    }
  };
  const runningOf = (name: string) => running.filter(({ by }) => by.at(-1) === name).length;
  return { bulkhead, start, running, runningOf, refused };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('places for calls', () => {
  it('leave half of what is free to others, so that each newcomer finds one', async () => {
    const { start, runningOf, refused } = aBulkhead();
    start(['greedy'], 100);
    start(['second'], 100);
    start(['late'], 1);
    await settled();
    expect([runningOf('greedy'), runningOf('second'), runningOf('late')]).toEqual([4, 2, 1]);
    // As many wait as are in progress.
    expect(refused.filter((name) => name === 'greedy')).toHaveLength(100 - 4 - 4);
    expect(refused).not.toContain('late');
  });

  it('leave half of a token’s share to its other users', async () => {
    const { bulkhead, start, runningOf } = aBulkhead();
    start(['shop', 'shop:a'], 100);
    start(['shop', 'shop:b'], 100);
    await settled();
    expect([runningOf('shop:a'), runningOf('shop:b')]).toEqual([2, 1]);
    expect(bulkhead.hasRoom(['shop', 'shop:c'])).toBe(true);
    expect(bulkhead.hasRoom(['shop', 'shop:a'])).toBe(false);
  });

  it('go to those who wait, in the order of their arrival, as far as their share reaches', async () => {
    const { start, running, runningOf } = aBulkhead();
    start(['greedy'], 6);
    start(['second'], 3);
    await settled();
    expect([runningOf('greedy'), runningOf('second')]).toEqual([4, 2]);
    running.find(({ by }) => by[0] === 'second')!.end();
    await settled();
    expect([runningOf('greedy'), runningOf('second')]).toEqual([4, 3]);
    for (const { end } of running) end();
    await settled();
    expect([runningOf('greedy'), runningOf('second')]).toEqual([6, 3]);
  });

  it('are given back by calls that fail', async () => {
    const bulkhead = new FairBulkhead(1);
    const fail = () => Promise.reject(new Error('a failure'));
    for (let i = 0; i < 3; i++) {
      await expect(bulkhead.run(['shop'], fail)).rejects.toThrow('a failure');
    }
    expect(await bulkhead.run(['shop'], async () => 'called')).toBe('called');
  });

  it('are refused to calls that waited for too long, which then wait no longer', async () => {
    const { bulkhead, start, running } = aBulkhead();
    start([], PLACES);
    await expect(bulkhead.run([], async () => 'called', 1)).rejects.toThrow(NoPlace);
    expect(bulkhead.running).toBe(PLACES);
    const patient = bulkhead.run([], async () => 'called', 60_000);
    running[0]!.end();
    expect(await patient).toBe('called');
    expect(bulkhead.running).toBe(PLACES - 1);
  });

  it('are all free to calls without a client, which wait in the order of their arrival', async () => {
    const bulkhead = new FairBulkhead(2, { waiting: Infinity });
    const order: number[] = [];
    const calls = Array.from({ length: 1_000 }, (_, at) =>
      bulkhead.run([], async () => void order.push(at)),
    );
    expect(bulkhead.running).toBe(2);
    await Promise.all(calls);
    expect(order).toEqual([...order.keys()]);
    expect(bulkhead.running).toBe(0);
  });
});
