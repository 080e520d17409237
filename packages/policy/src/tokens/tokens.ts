import { timingSafeEqual } from 'node:crypto';
import { type Caller, CONFIGURED_CALLER } from './caller.js';
import { hashToken } from './hash-token.js';
import type { KnownToken } from './read-token-file.js';

const BEARER = /^bearer +(?<token>[^\s]+) *$/i;

/**
 * Knows who calls by the bearer token. Hashes are compared, in constant time; which of them are compared depends on the
 * hash of what was given alone.
 */
export class Tokens {
  readonly #byPrefix = new Map<number, KnownToken[]>();

  /** `configured`: tokens of the one configured caller. `open`: without any token everybody is that caller. */
  constructor(
    configured: readonly string[],
    others: readonly KnownToken[],
    private readonly open: boolean,
  ) {
    const tokens = configured.map((token) => ({
      hash: hashToken(token),
      expiresAt: Infinity,
      caller: CONFIGURED_CALLER,
    }));
    for (const token of [...tokens, ...others]) {
      const prefix = token.hash.readUInt32BE(0);
      this.#byPrefix.set(prefix, [...(this.#byPrefix.get(prefix) ?? []), token]);
    }
  }

  /** Null when the header names no valid token, or one that has expired. */
  callerOf(authorization: string | undefined, now = Date.now()): Caller | null {
    if (this.open && this.#byPrefix.size === 0) return CONFIGURED_CALLER;
    const token = BEARER.exec(authorization ?? '')?.groups?.['token'] ?? '';
    const given = hashToken(token);
    let caller: Caller | null = null;
    for (const known of this.#byPrefix.get(given.readUInt32BE(0)) ?? []) {
      if (timingSafeEqual(given, known.hash) && known.expiresAt > now) ({ caller } = known);
    }
    return caller;
  }
}
