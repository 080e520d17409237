import { ForecourtError } from '@forecourt/contracts';
import type { Signer } from '@forecourt/ledger';

/** The sponsor that is asked for, or the first. Throws POOL_REFUSED where the fleet has no key of it. */
export function chooseSponsor(signers: readonly Signer[], asked: string | undefined): string {
  const sponsor = asked ?? signers[0]?.address;
  if (sponsor !== undefined && signers.some(({ address }) => address === sponsor)) return sponsor;
  throw new ForecourtError('POOL_REFUSED', `no sponsor ${sponsor ?? 'configured'}`);
}
