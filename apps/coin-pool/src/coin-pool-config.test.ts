import { describe, expect, it } from '@jest/globals';
import { readCoinPoolConfig } from './coin-pool-config.js';

const key = Buffer.alloc(33, 7).toString('base64');
const FLEET_SECRET = 'a-secret-of-a-fleet-of-32-or-more-characters';

describe('the configuration of the coin-pool', () => {
  it('requires only the keys of its sponsors and the secret of its fleet', () => {
    expect(readCoinPoolConfig({ SPONSOR_KEYS: key, FLEET_SECRET })).toMatchObject({
      port: 9531,
      healthPort: 9532,
      targetBalance: 100_000_000n,
      targetCoins: 500,
    });
    expect(() => readCoinPoolConfig({ FLEET_SECRET })).toThrow('SPONSOR_KEYS');
    expect(() => readCoinPoolConfig({ SPONSOR_KEYS: key })).toThrow('FLEET_SECRET is not set');
  });

  it('refuses a minimum above the target, and never shows a key', () => {
    const environment = {
      SPONSOR_KEYS: key,
      FLEET_SECRET,
      POOL_TARGET_COINS: '10',
      POOL_MIN_COINS: '11',
    };
    expect(() => readCoinPoolConfig(environment)).toThrow(/POOL_MIN_COINS \(11\).*\(10\)/);
    expect(() => readCoinPoolConfig(environment)).not.toThrow(key);
  });
});
