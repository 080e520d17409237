import type { Quarantine } from '@forecourt/coin-store';

/** How soon a job is repeated: `soon`, as the outcome may be known any moment; `slow`, as only a rare event can change it. */
type Pace = 'soon' | 'slow' | { readonly pauseMs: number };

const SHORTEST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 60_000;

/** The outcome is not known: the transaction stays bound to its coins, and the job is repeated. */
export class OutcomePending extends Error {
  override readonly name = 'OutcomePending';

  constructor(
    message: string,
    readonly pace: Pace = 'soon',
  ) {
    super(message);
  }
}

/** A quarantine goes on. The longer it has lasted, the later the ledger is asked again: a node that lags shows more soon. */
export function quarantinePending(
  message: string,
  { ageMs }: Pick<Quarantine, 'ageMs'>,
): OutcomePending {
  const pauseMs = Math.min(Math.max(Math.round(ageMs / 3), SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS);
  return new OutcomePending(message, { pauseMs });
}
