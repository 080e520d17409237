import { canonicalAddress, nameOfUser } from '@forecourt/contracts';
import { decodeJwt, errors, type JWTPayload, jwtVerify } from 'jose';
import type { Caller } from './caller.js';
import type { UserKey } from './read-token-file.js';

export const EXPIRED = 'The token has expired';

/**
 * Parts of a JSON Web Token (RFC 7515, section 7.1), with room for further claims; nothing longer is parsed.
 */
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
 * Tokens that an application's backend makes, each for one user: JSON Web Tokens signed with EdDSA (RFC
 * 8037), whose `iss` is the name of an entry in the file of tokens, `sub` the user's address, `exp` at most
 * an hour from now, and `aud`, if any, `forecourt`. Each user is a separate caller with the limits of the
 * entry, and only the user's own transactions are sponsored. All users of an entry share its budget and its
 * limits on total reservations.
 */
export class UserTokens {
  readonly #keys = new Map<string, UserKey[]>();

  constructor(keys: readonly UserKey[]) {
    for (const key of keys) {
      const { name } = key.caller;
      this.#keys.set(name, [...(this.#keys.get(name) ?? []), key]);
    }
  }

  /** The user; why a token that a key has signed is not valid; or null, if none has signed it. */
  async identify(token: string, now: number): Promise<Caller | string | null> {
    if (this.#keys.size === 0 || !JWT.test(token)) return null;
    let refusal: string | null = null;
    for (const { userKey, expiresAt, caller } of this.keysOf(token)) {
      const claims = await verify(token, userKey, caller.name, now);
      if (claims === null) continue;
      const reason = typeof claims === 'string' ? claims : judge(claims, now);
      const sender = typeof claims === 'string' ? null : canonicalAddress(claims.sub);
      if (reason === null && sender !== null && expiresAt > now) return userOf(caller, sender);
      refusal = reason ?? (sender === null ? REASONS.sub : 'The key that signed it has expired');
    }
    return refusal;
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

/**
 * Why a signed token is not valid, by the claim at fault. They quote nothing, since claims are anyone's text.
 */
const REASONS = {
  exp: 'exp must be a number: the time at which the token ends, in seconds since 1970',
  nbf: 'nbf must be a number of seconds since 1970, and not in the future',
  sub: 'sub must be the address of the user',
  aud: `aud must be ${AUDIENCE}, or absent`,
};

/**
 * The claims of a token that the key has signed for the issuer; why it is not valid now; or null, if it is
 * not signed.
 */
async function verify(
  token: string,
  key: UserKey['userKey'],
  issuer: string,
  now: number,
): Promise<JWTPayload | string | null> {
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
  } catch (error) {
    // Both are thrown after the signature has been verified.
    if (error instanceof errors.JWTExpired) return EXPIRED;
    const isOfClaim = error instanceof errors.JWTClaimValidationFailed;
    return isOfClaim ? (REASONS[error.claim as keyof typeof REASONS] ?? null) : null;
  }
}

/**
 * Why the claims of a signed token do not fit, or null. The clock tolerance is for the beginning and the
 * longest life.
 */
function judge({ exp = 0, aud = AUDIENCE }: JWTPayload, now: number): string | null {
  const leftSecs = exp - now / 1_000;
  if (leftSecs <= 0) return EXPIRED;
  if (leftSecs > LONGEST_LIFE_SECS + CLOCK_SKEW_SECS) {
    return `exp is too late: a token of a user may last ${LONGEST_LIFE_SECS} seconds`;
  }
  // A token for other services alone must not be accepted here (RFC 7519, section 4.1.3).
  return [aud].flat().includes(AUDIENCE) ? null : REASONS.aud;
}

function userOf(issuer: Caller, sender: string): Caller {
  return {
    ...issuer,
    name: nameOfUser(issuer.name, sender),
    reservation: { coins: DEFAULT_COINS, ...issuer.reservation },
    sender,
  };
}
