import type { RequestType } from '@forecourt/contracts';
import type { Caller } from '@forecourt/policy/tokens';

/** A call of execute, its body validated. */
export interface ExecuteRequest {
  readonly requestId: string;
  readonly caller: Caller;
  readonly reservationId: number;
  /** Base64. */
  readonly txBytes: string;
  /** Base64. */
  readonly userSig: string;
  readonly requestType: RequestType;
  /** A header of the request by its lower-case name. */
  readonly header: (name: string) => string | undefined;
}

/** The ledger's transaction effects, in its own JSON. */
export type Effects = Record<string, unknown>;
