import { verify } from 'node:crypto';
import { canonicalAddress, nameOfUser } from '@forecourt/contracts';
import type { Caller } from './caller.js';
import type { UserKey } from './read-token-file.js';

/** Header, claims and signature of a JSON Web Token (RFC 7515, section 7.1), with room for further claims. */
const JWT = /^(?<header>[\w-]{1,512})\.(?<claims>[\w-]{1,2048})\.(?<signature>[\w-]{86})$/;
const ALGORITHM = 'EdDSA';
/** A user's token is short-lived, since it cannot be revoked. */
const LONGEST_LIFE_SECS = 3_600;
/** Maximum time by which the issuer's clock may be ahead. */
const CLOCK_SKEW_SECS = 60;
/** Coins that one user may hold at once unless the token's entry sets another limit. */
const DEFAULT_COINS = 4;

interface Claims {
  readonly issuer: string;
  readonly sender: string;
}

/**
 * Tokens that an application's backend makes, each for one user: JSON Web Tokens signed with EdDSA (RFC 8037), whose
 * `iss` is the name of an entry in the file of tokens, `sub` the user's address, and `exp` at most an hour from now.
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
  callerOf(token: string, now: number): Caller | null {
    if (this.#keys.size === 0) return null;
    const parts = JWT.exec(token)?.groups;
    if (!parts || !isUsable(readPart(parts['header']!))) return null;
    const claims = readClaims(readPart(parts['claims']!), now);
    if (claims === null) return null;
    const signed = Buffer.from(token.slice(0, token.lastIndexOf('.')));
    const signature = Buffer.from(parts['signature']!, 'base64url');
    const key = this.#keys
      .get(claims.issuer)
      ?.find((one) => one.expiresAt > now && verify(null, signed, one.userKey, signature));
    return key ? userOf(key.caller, claims.sender) : null;
  }
}

function userOf(issuer: Caller, sender: string): Caller {
  return {
    ...issuer,
    name: nameOfUser(issuer.name, sender),
    reservation: { coins: DEFAULT_COINS, ...issuer.reservation },
    sender,
  };
}

function readPart(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** False for extensions that must be understood (RFC 7515, section 4.1.11), because none is supported. */
function isUsable(header: Readonly<Record<string, unknown>> | null): boolean {
  return header?.['alg'] === ALGORITHM && header['crit'] === undefined;
}

/** Null for claims that are missing, expired, not yet valid, or valid for too long. */
function readClaims(claims: Readonly<Record<string, unknown>> | null, now: number): Claims | null {
  const { iss: issuer, sub, exp, nbf } = claims ?? {};
  const sender = canonicalAddress(sub);
  if (typeof issuer !== 'string' || sender === null || typeof exp !== 'number') return null;
  const nowSecs = now / 1_000;
  if (!(exp > nowSecs) || exp > nowSecs + LONGEST_LIFE_SECS + CLOCK_SKEW_SECS) return null;
  if (nbf !== undefined && !(typeof nbf === 'number' && nbf <= nowSecs + CLOCK_SKEW_SECS)) {
    return null;
  }
  return { issuer, sender };
}
