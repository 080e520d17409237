const WINDOW_MS = 1_000;

export type CallTally = 'requests' | 'notFound';

/** Counts the calls of the last second, for rate limits. */
export class RecentCalls {
  readonly #times: Record<CallTally, number[]> = { requests: [], notFound: [] };

  note(what: CallTally): void {
    this.recent(what).push(performance.now());
  }

  count(what: CallTally): number {
    return this.recent(what).length;
  }

  private recent(what: CallTally): number[] {
    const times = this.#times[what];
    const from = performance.now() - WINDOW_MS;
    while (times.length > 0 && times[0]! < from) times.shift();
    return times;
  }
}
