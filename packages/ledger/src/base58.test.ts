import { describe, expect, it } from '@jest/globals';
import { toBase58 } from '@iota/iota-sdk/utils';
import fc from 'fast-check';
import { encodeBase58 } from './base58/index.js';

describe('encodeBase58', () => {
  it('agrees with the SDK on any 32 bytes, leading zeros included', () => {
    const any = fc.uint8Array({ minLength: 32, maxLength: 32 });
    const zeros = fc.nat({ max: 32 });
    fc.assert(
      fc.property(any, zeros, (bytes, count) => {
        bytes.fill(0, 0, count);
        expect(encodeBase58(bytes)).toBe(toBase58(bytes));
      }),
      { numRuns: 2000 },
    );
  });
});
