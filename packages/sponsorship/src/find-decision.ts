import { readDecisionFacts, type StoredSponsorship } from '@forecourt/contracts';
import { readTrail } from './stored-fields.js';

/** The access decision that allowed the transaction of a sponsorship. */
export interface FoundDecision {
  /** When the reservation was claimed, in ms since 1970. */
  readonly claimedAt: number;
  /** `writeDecisionFacts`. */
  readonly facts: string;
}

/** Null: nothing was bound to the reservation. Throws `InvalidEntry`. */
export function findDecision({ trail }: StoredSponsorship): FoundDecision | null {
  const claim = readTrail(trail).findLast(({ event }) => event === 'claimed');
  const facts = claim?.fields[4] ?? '';
  return claim && readDecisionFacts(facts) ? { claimedAt: claim.time, facts } : null;
}
