import { canonicalAddress, ForecourtError, type ResumeRequest } from '@forecourt/contracts';

export const EVERYTHING = 'everything';
export const scopeOfSponsor = (address: string) => `sponsor ${address}`;
export const scopeOfToken = (name: string) => `token ${name}`;

/** What a request is to pause or resume. Throws INVALID_REQUEST where it names both. */
export function readScope({ sponsor_address: sponsor, token }: ResumeRequest): string {
  if (sponsor != null && token != null) {
    throw new ForecourtError('INVALID_REQUEST', 'Give sponsor_address or token, not both');
  }
  if (sponsor != null) return scopeOfSponsor(canonicalAddress(sponsor)!);
  return token == null ? EVERYTHING : scopeOfToken(token);
}
