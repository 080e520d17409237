/** The longest time between two polls that fail. */
const LONGEST_MS = 15_000;

interface PolledQuery {
  readonly state: { readonly status: string; readonly dataUpdatedAt: number };
}

/** A query's `refetchInterval`. Polls that fail wait longer, the longer there was no answer. */
export function pollEvery(ms: number): (query: PolledQuery) => number {
  return ({ state: { status, dataUpdatedAt: answeredAt } }) =>
    status === 'error' ? Math.max(ms, Math.min(LONGEST_MS, (Date.now() - answeredAt) / 2)) : ms;
}
