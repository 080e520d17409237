import { describe, expect, it } from '@jest/globals';
import { readDestination, typedEnd } from './withdrawal-destination.js';

const WHOLE = `0x${'0'.repeat(56)}12345ABC`;

describe('the destination of a withdrawal', () => {
  it('is an address in full, which its last eight digits confirm', () => {
    expect(readDestination(` ${WHOLE} `)).toBe(WHOLE.toLowerCase());
    expect(typedEnd(WHOLE.toLowerCase())).toBe('12345abc');
  });

  it.each(['', '0x5afe', WHOLE.slice(0, -1), `${WHOLE}0`, WHOLE.slice(2), `0x${'g'.repeat(64)}`])(
    'is nothing else, such as %j',
    (text) => {
      expect(readDestination(text)).toBeNull();
    },
  );
});
