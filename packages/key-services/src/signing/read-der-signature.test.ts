import { describe, expect, it } from '@jest/globals';
import { HeldKey, toDer, withHighS } from '@forecourt/testing/key-services';
import { lowerS, readDerSignature } from './read-der-signature.js';

const key = new HeldKey('secp256k1');
const low = key.signHash(Buffer.alloc(32, 7));
const der = toDer(low);
const edited = (change: (bytes: Buffer) => Buffer | void) => {
  const bytes = Buffer.from(der);
  return change(bytes) ?? bytes;
};

describe('a DER signature', () => {
  it('is read in the form with the smaller s, whichever the service answers', async () => {
    for (let round = 0; round < 50; round++) {
      const signature = key.signHash(Buffer.alloc(32, round));
      for (const form of [signature, withHighS(signature)]) {
        expect(Buffer.from(readDerSignature(toDer(form)))).toEqual(Buffer.from(signature));
        expect(Buffer.from(lowerS(form))).toEqual(Buffer.from(signature));
      }
    }
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['another tag', edited((bytes) => void (bytes[0] = 0x31))],
    ['a wrong length', edited((bytes) => void (bytes[1]! += 1))],
    ['a byte after it', Buffer.concat([der, Buffer.of(0)])],
    ['a byte too few', der.subarray(0, -1)],
    ['a negative integer', edited((bytes) => void (bytes[4] = 0x80))],
    ['a padded integer', Buffer.from('3008020200010202007f', 'hex')],
    ['an empty integer', Buffer.from('30050200020101', 'hex')],
    ['zero', Buffer.from('3006020100020101', 'hex')],
    ['an integer beyond the order', toDer(Buffer.alloc(64, 0xff))],
    ['a third integer', Buffer.from('3009020101020101020101', 'hex')],
  ])('is refused with %s', (_what, bytes) => {
    expect(() => readDerSignature(bytes)).toThrow(expect.objectContaining({ fault: 'malformed' }));
  });
});
