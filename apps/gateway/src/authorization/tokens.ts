import { createHash, timingSafeEqual } from 'node:crypto';

/** All tokens of `GAS_STATION_AUTH` are this one caller, so that changing a token breaks nothing in flight. */
export const CONFIGURED_CALLER = 'default';

const BEARER = /^bearer +(?<token>[^\s]+) *$/i;

/** Knows who calls by the bearer token. Hashes are compared, all of them, in constant time. */
export class Tokens {
  private readonly hashes: readonly Buffer[];

  /** `open`: without tokens everybody is the configured caller. */
  constructor(
    tokens: readonly string[],
    private readonly open: boolean,
  ) {
    this.hashes = tokens.map(hash);
  }

  /** The caller's name, or null when the header names no valid token. */
  callerOf(authorization: string | undefined): string | null {
    if (this.open && this.hashes.length === 0) return CONFIGURED_CALLER;
    const token = BEARER.exec(authorization ?? '')?.groups?.['token'] ?? '';
    const given = hash(token);
    let known = false;
    for (const expected of this.hashes) known = timingSafeEqual(given, expected) || known;
    return known ? CONFIGURED_CALLER : null;
  }
}

function hash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
