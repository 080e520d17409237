import type { Quarantine } from '@forecourt/coin-store';
import { SigningFailed } from '@forecourt/ledger';

/**
 * Delay before a job is repeated: `soon`, as the outcome may be known any moment; `elsewhere`, as another
 * executor can probably carry it out; `slow`, as only a rare event can change it.
 */
type Pace = keyof typeof PACES | { readonly pauseMs: number };

/** The delay doubles from the first to the longest one, after so many attempts with the first one. */
const PACES = {
  soon: { firstMs: 500, longestMs: 30_000, attempts: 1 },
  elsewhere: { firstMs: 100, longestMs: 30_000, attempts: 10 },
  slow: { firstMs: 5_000, longestMs: 60_000, attempts: 1 },
} as const;

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
 * A quarantine continues. The delay of the next look at the ledger grows with its age: a node that lags shows
 * more soon.
 */
export function quarantinePending(
  message: string,
  { ageMs }: Pick<Quarantine, 'ageMs'>,
): OutcomePending {
  const pauseMs = Math.min(Math.max(Math.round(ageMs / 3), SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS);
  return new OutcomePending(message, { pauseMs });
}

/** Beyond this number of attempts the delay has reached its maximum. */
const MAX_DOUBLINGS = 16;

/**
 * Delay of a job before its next attempt: doubling, reduced by up to a fifth of random jitter so that jobs
 * spread.
 */
export function retryDelayMs(attemptsMade: number, error?: Error): number {
  // Spread, so that jobs do not all meet a recovered service at once.
  if (error instanceof SigningFailed) return Math.round(error.retryAfterMs * (1 + Math.random()));
  const pace = error instanceof OutcomePending ? error.pace : 'soon';
  if (typeof pace === 'object') return pace.pauseMs;
  const { firstMs, longestMs, attempts } = PACES[pace];
  const doublings = Math.min(Math.max(attemptsMade - attempts, 0), MAX_DOUBLINGS);
  const delay = Math.min(firstMs * 2 ** doublings, longestMs);
  return Math.round(delay * (0.8 + Math.random() * 0.2));
}
