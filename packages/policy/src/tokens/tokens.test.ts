import { describe, expect, it } from '@jest/globals';
import { CONFIGURED_CALLER } from './caller.js';
import { hashToken, Tokens } from './tokens.js';

/** Without a signature that fits. */
function jwtThatEnds(exp: number): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${encode({ alg: 'EdDSA' })}.${encode({ exp })}.${'a'.repeat(86)}`;
}

describe('tokens', () => {
  const tokens = new Tokens(['first', 'second'], [], false);

  it.each(['Bearer first', 'bearer second', 'BEARER  first '])(
    'identify the caller of %p',
    async (header) => {
      expect(await tokens.callerOf(header)).toBe(CONFIGURED_CALLER);
    },
  );

  it.each([
    undefined,
    '',
    'Bearer',
    'Bearer ',
    'first',
    'Basic first',
    'Bearer firs',
    'Bearer first second',
    'Bearer First',
  ])('identify no caller of %p', async (header) =>
    expect(await tokens.callerOf(header)).toBeNull(),
  );

  it('are optional only if that is configured and no token exists', async () => {
    expect(await new Tokens([], [], true).callerOf(undefined)).toBe(CONFIGURED_CALLER);
    expect(await new Tokens(['first'], [], true).callerOf(undefined)).toBeNull();
    expect(await new Tokens([], [], false).callerOf('Bearer ')).toBeNull();
  });

  it.each([
    [undefined, 'Bearer'],
    ['Basic first', 'must be: Bearer, a space, the token'],
    ['Bearer third', 'The token is not known'],
    ['Bearer soon', 'The token has expired'],
    [`Bearer ${jwtThatEnds(1)}`, 'The token has expired'],
    [`Bearer ${jwtThatEnds(3)}`, 'The token is not known'],
  ])('that are missing or wrong are answered with the reason: %s', async (header, reason) => {
    const soon = { hash: hashToken('soon'), expiresAt: 1_000, caller: CONFIGURED_CALLER };
    const identified = await new Tokens(['first'], [soon], false).identify(header, 2_000);
    expect(identified).toEqual({ challenge: expect.stringContaining(reason) });
  });

  it('are valid until their expiry', async () => {
    const soon = { hash: hashToken('soon'), expiresAt: 1_000, caller: CONFIGURED_CALLER };
    const expiring = new Tokens([], [soon], false);
    expect(await expiring.callerOf('Bearer soon', 999)).toBe(CONFIGURED_CALLER);
    expect(await expiring.callerOf('Bearer soon', 1_000)).toBeNull();
  });
});
