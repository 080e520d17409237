import { canonicalAddress, ForecourtError, type ResumeRequest } from '@forecourt/contracts';

export const EVERYTHING = 'everything';
export const scopeOfSponsor = (address: string) => `sponsor ${address}`;
export const scopeOfToken = (name: string) => `token ${name}`;
/** Names of tokens have no spaces. */
export const BY_FORECAST = ' by forecast';
/** A token's transactions that rules allow by a forecast of their balance changes. */
export const scopeOfForecasts = (name: string) => `${scopeOfToken(name)}${BY_FORECAST}`;

/**
 * The scope that a request pauses or resumes. Throws INVALID_REQUEST if it names both a sponsor and a token.
 */
export function readScope({ sponsor_address: sponsor, token }: ResumeRequest): string {
  if (sponsor != null && token != null) {
    throw new ForecourtError('INVALID_REQUEST', 'Give sponsor_address or token, not both');
  }
  if (sponsor != null) return scopeOfSponsor(canonicalAddress(sponsor)!);
  return token == null ? EVERYTHING : scopeOfToken(token);
}
