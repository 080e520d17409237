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
  /** What it is bound to, or was executed with. */
  digest: string | null;
  isLeaseOver: boolean;
  isResumed: boolean;
  /** What its claim counts of a limit on gas. */
  held: bigint;
  input: string | null;
  refusal: { digest: string; fence: number; message: string } | null;
  quarantine: { epoch: bigint; movedOnBy: string | null } | null;
}

/** Texts that hold whatever separates the parts of a reservation. */
export const FREE = 'a shop\twith|tabs,\nlines and \\n';
export const LIMITED = 'another\t\t\n:|one\\';
/** How it is counted together with all users of its token. */
export const LIMITED_TOGETHER = 'another\t\t\n:';
export const MESSAGE = 'object locked:\n\t0x1|0x2, \\t, 100%1';

/** The limit on gas that claims are counted in. */
export const COUNTER = 'gas:1';
