import { describe, expect, it } from '@jest/globals';
import { readCommand, shorten, shortenFunction } from './identifiers.js';

const CLOCK = `0x${'0'.repeat(63)}2::clock::timestamp_ms`;

describe('identifiers', () => {
  it('keep their ends', () => {
    expect(shorten(`0x4f1c${'0'.repeat(56)}92ab`)).toBe('0x4f1c…92ab');
    expect(shorten('9mXwq7vJkY2RrT5pQZ')).toBe('9mXw…5pQZ');
  });

  it('stay whole when they are short', () => {
    expect(shorten('0xdec0')).toBe('0xdec0');
  });

  it('lose the zeros of well-known packages', () => {
    expect(shortenFunction(CLOCK)).toBe('0x2::clock::timestamp_ms');
  });

  it('are split into the kind of command and its name', () => {
    expect(readCommand(`MoveCall ${CLOCK}`)).toEqual({ kind: 'MoveCall', name: CLOCK });
    expect(readCommand('SplitCoins')).toEqual({ kind: 'SplitCoins', name: '' });
  });
});
