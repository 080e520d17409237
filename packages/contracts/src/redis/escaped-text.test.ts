import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { escapeText, readEscaped } from './escaped-text.js';

describe('an escaped text', () => {
  it('has no tab and no line end, and is restored exactly', () => {
    const texts = fc.string({ unit: fc.constantFrom('\\', '\t', '\n', 't', 'n', '|', 'ü') });
    fc.assert(
      fc.property(texts, (text) => {
        const escaped = escapeText(text);
        expect(escaped).not.toMatch(/[\t\n]/);
        expect(readEscaped(escaped)).toBe(text);
      }),
    );
  });

  it('is unchanged when it is plain', () => {
    expect(escapeText('shop|gw-1')).toBe('shop|gw-1');
  });
});
