import { describe, expect, it } from '@jest/globals';
import { WindowCounter } from './window-counter.js';

describe('WindowCounter', () => {
  it('throws while Redis does not answer, or counts alone', async () => {
    const redis = { multi: () => ({}), rlflxIncr: () => Promise.reject(new Error('is down')) };
    const window = { most: 1, seconds: 60 };
    const strict = new WindowCounter(redis, 'fc:test', window, 'throw');
    await expect(strict.take('a')).rejects.toThrow();
    const alone = new WindowCounter(redis, 'fc:test', window, 'count alone');
    expect(await alone.take('a')).toBe(0);
    const seconds = await alone.take('a');
    expect(seconds).toBeGreaterThan(59);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(await alone.take('b')).toBe(0);
  });
});
