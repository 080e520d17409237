import { fromBase64, toBase58, toBase64 } from '@iota/iota-sdk/utils';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { digestInBase58, digestInBase64 } from './digest-forms.js';

const digests = fc
  .tuple(fc.nat({ max: 32 }), fc.uint8Array({ minLength: 32, maxLength: 32 }))
  .map(([zeros, bytes]) => bytes.fill(0, 0, zeros));

describe('a digest', () => {
  it('has one text in base58 and one in base64, from either of them', () => {
    fc.assert(
      fc.property(digests, (bytes) => {
        const [base58, base64] = [toBase58(bytes), toBase64(bytes)];
        expect([base64, base58].map(digestInBase58)).toEqual([base58, base58]);
        expect([base64, base58].map(digestInBase64)).toEqual([base64, base64]);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    '',
    'D',
    `0x${'ab'.repeat(32)}`,
    toBase64(new Uint8Array(31)),
    toBase64(new Uint8Array(33).fill(255)),
    toBase58(new Uint8Array(31).fill(255)),
    toBase58(new Uint8Array(33).fill(1)),
    toBase58(fromBase64('/'.repeat(43) + '=')).replace(/.$/, 'l'),
    '1'.repeat(33),
    'z'.repeat(44),
    ' '.repeat(32),
  ])('is not %p', (text) => {
    expect(() => digestInBase58(text)).toThrow(/^A digest must be 32 bytes in base58 or base64/);
    expect(() => digestInBase64(text)).toThrow(TypeError);
  });
});
