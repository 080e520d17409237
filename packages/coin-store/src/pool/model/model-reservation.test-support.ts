import type { GasCoin } from '@forecourt/ledger';

export type ReservationState =
  'reserved' | 'claimed' | 'executing' | 'quarantined' | 'executed' | 'expired' | 'released';

export interface ModelReservation {
  readonly id: number;
  readonly caller: string;
  readonly budget: number;
  readonly isCounted: boolean;
  readonly coins: readonly GasCoin[];
  state: ReservationState;
  isOverdue: boolean;
  fence: number;
  /** Digest of the bound or executed transaction. */
  digest: string | null;
  /** Digest of the transaction that it was last bound to; empty: none. */
  lastDigest: string;
  isLeaseOver: boolean;
  isResumed: boolean;
  /** Its claim was begun, and could not be signed. */
  isDeferred: boolean;
  /** The claim's amount in a limit on gas. */
  held: bigint;
  input: string | null;
  refusal: { digest: string; fence: number; message: string } | null;
  quarantine: { epoch: bigint; movedOnBy: string | null } | null;
}

/** Texts with all separators of a reservation's parts. */
export const FREE = 'a shop\twith|tabs,\nlines and \\n';
export const LIMITED = 'another\t\t\n:|one\\';
/** The name under which all users of its token are counted. */
export const LIMITED_TOGETHER = 'another\t\t\n:';
export const MESSAGE = 'object locked:\n\t0x1|0x2, \\t, 100%1';

/** The limit on gas that claims are counted in. */
export const COUNTER = 'gas:1';
