import { describe, expect, it } from '@jest/globals';
import { findDefault } from './sponsor-states.js';

const sponsor = (state: 'draining' | 'no-key' | 'opening' | 'serving', signs: boolean | null) => ({
  state,
  signer: signs === null ? null : { kinds: ['local'], signs },
});

describe('the default sponsor', () => {
  it('is the first one that serves and signs', () => {
    const [first, second] = [sponsor('serving', true), sponsor('serving', true)];
    expect(findDefault([first, second])).toBe(first);
    const others = [
      sponsor('draining', true),
      sponsor('no-key', null),
      sponsor('opening', true),
      sponsor('serving', false),
    ];
    expect(findDefault([...others, second])).toBe(second);
    expect(findDefault(others)).toBeUndefined();
  });
});
