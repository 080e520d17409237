import type { Quarantine } from '@forecourt/coin-store';

/**
 * Delay before a job is repeated: `soon`, as the outcome may be known any moment; `slow`, as only a rare event can
 * change it.
 */
type Pace = 'soon' | 'slow' | { readonly pauseMs: number };

const SHORTEST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 60_000;

/** The outcome is unknown: the transaction stays bound to its coins, and the job is repeated. */
export class OutcomePending extends Error {
  override readonly name = 'OutcomePending';

  constructor(
    message: string,
    readonly pace: Pace = 'soon',
  ) {
    super(message);
  }
}

/**
 * A quarantine continues. The delay of the next look at the ledger grows with its age: a node that lags shows more
 * soon.
 */
export function quarantinePending(
  message: string,
  { ageMs }: Pick<Quarantine, 'ageMs'>,
): OutcomePending {
  const pauseMs = Math.min(Math.max(Math.round(ageMs / 3), SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS);
  return new OutcomePending(message, { pauseMs });
}
