import { describe, expect, it } from '@jest/globals';
import { WindowCounter } from './window-counter.js';

describe('WindowCounter', () => {
  it('refuses beyond the limit of a caller until its window ends', async () => {
    const counter = WindowCounter.inProcess({ most: 2, seconds: 60 });
    expect([await counter.take('a'), await counter.take('a')]).toEqual([0, 0]);
    const seconds = await counter.take('a');
    expect(seconds).toBeGreaterThan(59);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(await counter.take('b')).toBe(0);
  });

  it('counts an event that was taken back no longer', async () => {
    const counter = WindowCounter.inProcess({ most: 1, seconds: 60 });
    await counter.take('a');
    await counter.giveBack('a');
    expect(await counter.take('a')).toBe(0);
  });

  it('throws while Redis does not answer, or counts alone', async () => {
    const redis = { multi: () => ({}), rlflxIncr: () => Promise.reject(new Error('is down')) };
    const window = { most: 1, seconds: 60 };
    const strict = WindowCounter.inFleet(redis, 'fc:test', window, 'throw');
    await expect(strict.take('a')).rejects.toThrow();
    const alone = WindowCounter.inFleet(redis, 'fc:test', window, 'count alone');
    expect(await alone.take('a')).toBe(0);
    expect(await alone.take('a')).toBeGreaterThan(0);
  });
});
