import { hash, timingSafeEqual } from 'node:crypto';
import { canonicalAddress, nameOfUser } from '@forecourt/contracts';
import { decodeJwt, type JWTPayload, jwtVerify } from 'jose';
import { type Caller, CONFIGURED_CALLER } from './caller.js';
import type { HashedToken, KnownToken, UserKey } from './read-token-file.js';

/** SHA-256 of a token. Tokens are random, so their hashes need no salt and cannot be reversed by guessing. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

const BEARER = /^bearer +(?<token>[^\s]+) *$/i;

/**
 * Finds the caller of a bearer token. Hashes are compared in constant time, and the choice of compared hashes depends
 * only on the hash of the given token.
 */
export class Tokens {
  readonly #byPrefix = new Map<number, HashedToken[]>();
  readonly #users: UserTokens;
  readonly #isOpen: boolean;

  /** `configured`: tokens of the configured caller. `open`: without any token, everyone is that caller. */
  constructor(configured: readonly string[], others: readonly KnownToken[], open: boolean) {
    this.#isOpen = open && configured.length === 0 && others.length === 0;
    const tokens = configured.map((token) => ({
      hash: hashToken(token),
      expiresAt: Infinity,
      caller: CONFIGURED_CALLER,
    }));
    this.#users = new UserTokens(others.filter((one) => 'userKey' in one));
    for (const token of [...tokens, ...others.filter((one) => 'hash' in one)]) {
      const prefix = token.hash.readUInt32BE(0);
      this.#byPrefix.set(prefix, [...(this.#byPrefix.get(prefix) ?? []), token]);
    }
  }

  /**
   * Why the header has no valid token, as the value of `WWW-Authenticate` (RFC 6750, section 3): the body's text is the same
   * for every reason.
   */
  challengeTo(authorization: string | undefined, now = Date.now()): string {
    if (authorization === undefined) return 'Bearer';
    const token = BEARER.exec(authorization)?.groups?.['token'];
    const describe = (reason: string) =>
      `Bearer error="invalid_token", error_description="${reason}"`;
    if (token === undefined) return describe('The header must be: Bearer, a space, the token');
    const hasExpired = this.entriesOf(token).length > 0 || hasEnded(token, now);
    return describe(hasExpired ? 'The token has expired' : 'The token is not known');
  }

  /** Null if the header has no valid token, or one that has expired. */
  async callerOf(authorization: string | undefined, now = Date.now()): Promise<Caller | null> {
    if (this.#isOpen) return CONFIGURED_CALLER;
    const token = BEARER.exec(authorization ?? '')?.groups?.['token'] ?? '';
    const valid = this.entriesOf(token).findLast(({ expiresAt }) => expiresAt > now);
    return valid?.caller ?? this.#users.callerOf(token, now);
  }

  /** Those that the token belongs to, expired ones included. */
  private entriesOf(token: string): readonly HashedToken[] {
    const given = hashToken(token);
    const compared = this.#byPrefix.get(given.readUInt32BE(0)) ?? [];
    return compared.filter((known) => timingSafeEqual(given, known.hash));
  }
}

/** Parts of a JSON Web Token (RFC 7515, section 7.1), with room for further claims; nothing longer is parsed. */
const JWT = /^[\w-]{1,512}\.[\w-]{1,2048}\.[\w-]{86}$/;
/** A user's token is short-lived, since it cannot be revoked. */
const LONGEST_LIFE_SECS = 3_600;
/** Maximum time by which the issuer's clock may be ahead. */
const CLOCK_SKEW_SECS = 60;
/** The service's name in tokens that name their audience. */
const AUDIENCE = 'forecourt';
/** Coins that one user may hold at once unless the token's entry sets another limit. */
const DEFAULT_COINS = 4;

/**
 * Tokens that an application's backend makes, each for one user: JSON Web Tokens signed with EdDSA (RFC 8037), whose
 * `iss` is the name of an entry in the file of tokens, `sub` the user's address, `exp` at most an hour from now, and `aud`, if any, `forecourt`.
 * Each user is a separate caller with the limits of the entry, and only the user's own transactions are sponsored. All
 * users of an entry share its budget and its limits on total reservations.
 */
export class UserTokens {
  readonly #keys = new Map<string, UserKey[]>();

  constructor(keys: readonly UserKey[]) {
    for (const key of keys) {
      const { name } = key.caller;
      this.#keys.set(name, [...(this.#keys.get(name) ?? []), key]);
    }
  }

  /** Null for anything but a valid token. */
  async callerOf(token: string, now: number): Promise<Caller | null> {
    if (this.#keys.size === 0 || !JWT.test(token)) return null;
    for (const { userKey, expiresAt, caller } of this.keysOf(token)) {
      const claims = expiresAt > now ? await verify(token, userKey, caller.name, now) : null;
      const sender = canonicalAddress(claims?.sub);
      if (claims === null || sender === null || !lastsShortly(claims, now)) continue;
      if (!isMeantForForecourt(claims)) continue;
      return userOf(caller, sender);
    }
    return null;
  }

  /** The keys of the issuer that the token names; their signatures have yet to be verified. */
  private keysOf(token: string): readonly UserKey[] {
    try {
      return this.#keys.get(String(decodeJwt(token).iss)) ?? [];
    } catch {
      return [];
    }
  }
}

/** Whether a text is a JSON Web Token that says that it has ended; it may be anyone's. */
export function hasEnded(token: string, now: number): boolean {
  try {
    return JWT.test(token) && Number(decodeJwt(token).exp) * 1_000 <= now;
  } catch {
    return false;
  }
}

/** The claims of a token that the key has signed for the issuer and that is valid now; otherwise null. */
async function verify(
  token: string,
  key: UserKey['userKey'],
  issuer: string,
  now: number,
): Promise<JWTPayload | null> {
  try {
    // The key decides the algorithm, not the token's header.
    const { payload } = await jwtVerify(token, key, {
      algorithms: ['EdDSA'],
      issuer,
      requiredClaims: ['exp', 'sub'],
      currentDate: new Date(now),
      clockTolerance: CLOCK_SKEW_SECS,
    });
    return payload;
  } catch {
    return null;
  }
}

/** The clock tolerance is for the beginning and the longest life: a token ends exactly at its `exp`. */
function lastsShortly({ exp = 0 }: JWTPayload, now: number): boolean {
  const nowSecs = now / 1_000;
  return exp > nowSecs && exp <= nowSecs + LONGEST_LIFE_SECS + CLOCK_SKEW_SECS;
}

/** A token for other services alone must not be accepted here (RFC 7519, section 4.1.3). */
function isMeantForForecourt({ aud = AUDIENCE }: JWTPayload): boolean {
  return [aud].flat().includes(AUDIENCE);
}

function userOf(issuer: Caller, sender: string): Caller {
  return {
    ...issuer,
    name: nameOfUser(issuer.name, sender),
    reservation: { coins: DEFAULT_COINS, ...issuer.reservation },
    sender,
  };
}
