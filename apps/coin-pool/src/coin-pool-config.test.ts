import { describe, expect, it } from '@jest/globals';
import { readCoinPoolConfig } from './coin-pool-config.js';

const key = Buffer.alloc(33, 7).toString('base64');

describe('the configuration', () => {
  it('needs nothing but the keys of its sponsors', () => {
    expect(readCoinPoolConfig({ SPONSOR_KEYS: key })).toMatchObject({
      ...{ port: 9531, healthPort: 9532, targetBalance: 100_000_000n, targetCoins: 500 },
    });
    expect(() => readCoinPoolConfig({})).toThrow('SPONSOR_KEYS');
  });

  it('refuses a minimum above the target, and never shows a key', () => {
    const environment = { SPONSOR_KEYS: key, POOL_TARGET_COINS: '10', POOL_MIN_COINS: '11' };
    expect(() => readCoinPoolConfig(environment)).toThrow(/POOL_MIN_COINS \(11\).*\(10\)/);
    expect(() => readCoinPoolConfig(environment)).not.toThrow(key);
  });
});
