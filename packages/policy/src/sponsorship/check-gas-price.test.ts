import { describe, expect, it } from '@jest/globals';
import { checkGasPrice } from './check-gas-price.js';

describe('the gas price', () => {
  it.each<[bigint, bigint, number, boolean]>([
    [1_000n, 1_000n, 1, false],
    [5_000n, 1_000n, 5, false],
    [99_999n, 1_000n, 5, true],
  ])(
    'is accepted at %d for a reference price of %d and a ratio of %d (by rule: %p)',
    (...facts) => {
      const [gasPrice, reference, ratio, allowedByRule] = facts;
      expect(() => checkGasPrice({ gasPrice }, reference, ratio, allowedByRule)).not.toThrow();
    },
  );

  it.each<[bigint, bigint, number]>([
    [1_001n, 1_000n, 1],
    [5_001n, 1_000n, 5],
    [2n ** 64n - 1n, 2n ** 60n, 5],
  ])(
    'is refused at %d for a reference price of %d and a ratio of %d',
    (gasPrice, reference, ratio) => {
      const expected = expect.objectContaining({
        code: 'GAS_PRICE_TOO_HIGH',
        message: expect.stringContaining(`${gasPrice} exceeds ${reference * BigInt(ratio)}`),
      });
      expect(() => checkGasPrice({ gasPrice }, reference, ratio, false)).toThrow(expected);
    },
  );
});
