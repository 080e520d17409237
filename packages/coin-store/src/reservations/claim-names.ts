import { escapeText } from '@forecourt/contracts';

/** Names one claim of a sponsor's reservation. */
export interface BegunClaim {
  readonly reservationId: number;
  readonly digest: string;
  readonly fence: number;
}

/** The arguments by which a script knows a claim. */
export function writeClaimName({ reservationId, digest, fence }: BegunClaim) {
  return [reservationId, escapeText(digest), fence] as const;
}
