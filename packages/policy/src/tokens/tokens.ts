import { hash, timingSafeEqual } from 'node:crypto';
import { type Caller, CONFIGURED_CALLER } from './caller.js';
import type { HashedToken, KnownToken } from './read-token-file.js';
import { EXPIRED, hasEnded, UserTokens } from './user-tokens.js';

/** SHA-256 of a token. Tokens are random, so their hashes need no salt and cannot be reversed by guessing. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

export type Identified = { readonly caller: Caller } | { readonly challenge: string };

function challenge(reason: string): Identified {
  return { challenge: `Bearer error="invalid_token", error_description="${reason}"` };
}

const BEARER = /^bearer +(?<token>[^\s]+) *$/i;

/**
 * Finds the caller of a bearer token. Hashes are compared in constant time, and the choice of compared hashes
 * depends only on the hash of the given token.
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
   * The caller, or why the header has no valid token, as the value of `WWW-Authenticate` (RFC 6750, section
   * 3): the body's text is the same for every reason.
   */
  async identify(authorization: string | undefined, now = Date.now()): Promise<Identified> {
    if (this.#isOpen) return { caller: CONFIGURED_CALLER };
    if (authorization === undefined) return { challenge: 'Bearer' };
    const token = BEARER.exec(authorization)?.groups?.['token'];
    if (token === undefined) return challenge('The header must be: Bearer, a space, the token');
    const entries = this.entriesOf(token);
    const valid = entries.findLast(({ expiresAt }) => expiresAt > now);
    if (valid) return { caller: valid.caller };
    const user = await this.#users.identify(token, now);
    if (typeof user === 'object' && user !== null) return { caller: user };
    const hasExpired = entries.length > 0 || hasEnded(token, now);
    return challenge(user ?? (hasExpired ? EXPIRED : 'The token is not known'));
  }

  /** Null if the header has no valid token, or one that has expired. */
  async callerOf(authorization: string | undefined, now = Date.now()): Promise<Caller | null> {
    const identified = await this.identify(authorization, now);
    return 'caller' in identified ? identified.caller : null;
  }

  /** Those that the token belongs to, expired ones included. */
  private entriesOf(token: string): readonly HashedToken[] {
    const hash = hashToken(token);
    const compared = this.#byPrefix.get(hash.readUInt32BE(0)) ?? [];
    return compared.filter((known) => timingSafeEqual(hash, known.hash));
  }
}
