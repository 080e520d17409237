import { hash, timingSafeEqual } from 'node:crypto';
import { type Caller, CONFIGURED_CALLER } from './caller.js';
import type { HashedToken, KnownToken } from './read-token-file.js';
import { hasEnded, UserTokens } from './user-tokens.js';

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
