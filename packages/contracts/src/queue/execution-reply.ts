import type { Waiter } from '../messages/coin-pool-messages.js';

/** What an executor tells the gateways that wait for a transaction, over Redis pub/sub. A lost one is found again by asking. */
export interface ExecutionReply {
  readonly reservationId: number;
  readonly digest: string;
  readonly fence: number;
  readonly outcome: ExecutionOutcome;
}

export type ExecutionOutcome =
  /** The effects are final; the ledger's own JSON. */
  | { readonly kind: 'executed'; readonly effects: Record<string, unknown> }
  /** Follows `executed`: the read node shows it, or the time for that is over. */
  | { readonly kind: 'local' }
  /** The ledger refused it; its own message. */
  | { readonly kind: 'refused'; readonly message: string };

/** The channel on which one gateway process hears of outcomes. */
export function executionReplyChannel(gateway: Waiter['gateway']): string {
  return `fc:replies:${gateway}`;
}
