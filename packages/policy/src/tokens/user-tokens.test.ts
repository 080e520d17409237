import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { hashToken, Tokens } from './tokens.js';
import { readTokenFile } from './read-token-file.js';

/** An hour plus the allowed clock skew. */
const [LONGEST_SECS, SKEW_SECS] = [3_660, 60];
const NOW = Date.UTC(2027, 0, 1);
const USER = `0x${'ab'.repeat(32)}`;
const application = generateKeyPairSync('ed25519');
const stranger = generateKeyPairSync('ed25519');

const publicKeyText = (key: KeyObject) => key.export({ format: 'jwk' }).x!;
const file = `tokens:
  - name: shop
    role: sponsor
    hash: ${hashToken('secret').toString('hex')}
  - name: shop-users
    role: sponsor
    user-keys: [${publicKeyText(application.publicKey)}]
    expires: 2028-01-01
    rate-limit: { requests: 5, window: 1 second }
    reserve-all-users: { coins: 50, pool-share: 20% }
    budget: { value: 2 IOTA, window: 1 day }`;
const tokens = new Tokens([], readTokenFile(file).tokens, false);

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const seconds = (ms: number) => Math.floor(ms / 1_000);
const good = { iss: 'shop-users', sub: USER, exp: seconds(NOW) + 600 };

function makeToken(
  claims: unknown = good,
  { header = { alg: 'EdDSA' }, key = application.privateKey } = {},
): string {
  const signed = `${encode(header)}.${encode(claims)}`;
  return `${signed}.${sign(null, Buffer.from(signed), key).toString('base64url')}`;
}
/**
 * A verifier that lets the header choose the algorithm would accept the public key as the secret of HS256.
 */
function signedWithPublicKey(): string {
  const signed = `${encode({ alg: 'HS256' })}.${encode(good)}`;
  const secret = application.publicKey.export({ format: 'pem', type: 'spki' });
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}
const callerOf = (token: string, now = NOW) => tokens.callerOf(`Bearer ${token}`, now);

describe('tokens for users', () => {
  it('identify a caller whose only sender is that user', async () => {
    expect(await callerOf(makeToken())).toMatchObject({
      name: `shop-users:${USER}`,
      token: 'shop-users',
      sender: USER,
      roles: new Set(['sponsor']),
      rateLimit: { requests: 5, windowMs: 1_000 },
      reservation: { coins: 4 },
      usersReservation: { coins: 50, poolShare: 20 },
    });
    expect(await callerOf('secret')).toMatchObject({ name: 'shop', sender: null });
  });

  it.each(['forecourt', ['other', 'forecourt']])(
    'identify a caller if they name Forecourt as audience: %j',
    async (aud) => expect(await callerOf(makeToken({ ...good, aud }))).not.toBeNull(),
  );

  it('share the budget of their token’s entry', async () => {
    const other = makeToken({ ...good, sub: '0x2' });
    const [one, another] = [await callerOf(makeToken()), await callerOf(other)];
    expect(another!.budget).toBe(one!.budget);
    expect(another!.name).not.toBe(one!.name);
  });

  it.each<[string, string]>([
    ['of another key', makeToken(good, { key: stranger.privateKey })],
    ['of another algorithm', makeToken(good, { header: { alg: 'HS256' } })],
    ['without an algorithm', makeToken(good, { header: { alg: 'none' } })],
    ['with neither an algorithm nor a signature', `${encode({ alg: 'none' })}.${encode(good)}.`],
    ['signed with the public key as a shared secret (HS256)', signedWithPublicKey()],
    [
      'whose header demands an unknown extension',
      makeToken(good, { header: { alg: 'EdDSA', crit: ['b64'] } as { alg: string } }),
    ],
    ['of another issuer', makeToken({ ...good, iss: 'shop' })],
    ['for no address', makeToken({ ...good, sub: 'alice' })],
    ['without an end', makeToken({ iss: good.iss, sub: good.sub })],
    ['that has ended', makeToken({ ...good, exp: seconds(NOW) })],
    ['that lasts too long', makeToken({ ...good, exp: seconds(NOW) + LONGEST_SECS + 1 })],
    ['without a number as its end', makeToken({ ...good, exp: null })],
    ['that is not valid yet', makeToken({ ...good, nbf: seconds(NOW) + SKEW_SECS + 1 })],
    ['whose beginning is not a number', makeToken({ ...good, nbf: '0' })],
    ['whose claims are not an object', makeToken(null)],
    ['of no issuer', makeToken({ ...good, iss: 7 })],
    ['for another service', makeToken({ ...good, aud: 'https://other.example' })],
    ['for other services', makeToken({ ...good, aud: ['other', 'forecourts'] })],
    ['for no service', makeToken({ ...good, aud: [] })],
    ['whose audience is not a text', makeToken({ ...good, aud: 7 })],
    ['with changed claims', makeToken().replace(encode(good), encode({ ...good, sub: '0x1' }))],
    ['with a part that is not JSON', `e30.e30.${'A'.repeat(86)}`],
  ])('identify no caller with a token %s', async (_what, token) =>
    expect(await callerOf(token)).toBeNull(),
  );

  const UNKNOWN = 'The token is not known';
  it.each<[string, string, string]>([
    ['that lasts a day', 'may last 3600 seconds', makeToken({ ...good, exp: good.exp + 86_400 })],
    ['for another service', 'aud must be forecourt', makeToken({ ...good, aud: 'other' })],
    ['that ends at a text', 'exp must be a number', makeToken({ ...good, exp: String(good.exp) })],
    ['without an end', 'exp must be a number', makeToken({ iss: good.iss, sub: good.sub })],
    ['that has ended', 'The token has expired', makeToken({ ...good, exp: seconds(NOW) })],
    ['that begins later', 'nbf must be', makeToken({ ...good, nbf: good.exp })],
    ['for a name', 'sub must be the address', makeToken({ ...good, sub: 'alice' })],
    ['for no user', 'sub must be the address', makeToken({ iss: good.iss, exp: good.exp })],
    ['of another key', UNKNOWN, makeToken({ ...good, aud: 'other' }, { key: stranger.privateKey })],
    ['of no known issuer', UNKNOWN, makeToken({ ...good, iss: 'shop' })],
  ])('are refused with the reason, if a key has signed them: one %s', async (_, reason, token) => {
    const identified = await tokens.identify(`Bearer ${token}`, NOW);
    expect(identified).toEqual({ challenge: expect.stringContaining(reason) });
    // A description in a header has no quotes and only ASCII (RFC 6750, section 3).
    expect((identified as { challenge: string }).challenge).toMatch(
      /^Bearer error="invalid_token", error_description="[\x20\x21\x23-\x5b\x5d-\x7e]+"$/,
    );
  });

  it('are refused with the reason once the key that signed them has expired', async () => {
    const later = Date.UTC(2028, 0, 1);
    const token = makeToken({ ...good, exp: seconds(later) + 60 });
    const identified = await tokens.identify(`Bearer ${token}`, later);
    expect(identified).toEqual({ challenge: expect.stringContaining('key that signed it has') });
  });

  it.each([
    { exp: seconds(NOW) + LONGEST_SECS },
    { exp: seconds(NOW) + 1 },
    { nbf: seconds(NOW) + SKEW_SECS },
  ])(
    'identify the user of a token of the longest, the shortest and a time that begins right now: %j',
    async (claims) =>
      expect(await callerOf(makeToken({ ...good, ...claims }))).toMatchObject({ sender: USER }),
  );

  it('are invalid once their entry has expired', async () => {
    const later = Date.UTC(2028, 0, 1);
    expect(await callerOf(makeToken({ ...good, exp: seconds(later) + 60 }), later)).toBeNull();
  });

  it('need user-keys for reserve-all-users', () => {
    const text = file.replace('    user-keys', '    hash: ' + 'ab'.repeat(32) + ' #');
    expect(() => readTokenFile(text)).toThrow('reserve-all-users limits the users of user-keys');
  });

  it.each(['operator', 'auditor', '[sponsor, auditor]'])(
    'cannot have user-keys for the role %s',
    (role) => {
      const text = file.replace('role: sponsor\n    user-keys', `role: ${role}\n    user-keys`);
      expect(() => readTokenFile(text)).toThrow('only sponsor may be given by user-keys');
    },
  );
});
