import { Injectable } from '@nestjs/common';
import { FaultBoard } from './fault-board.js';

const WINDOW_MS = 1_000;

export type CallTally = 'requests' | 'notFound';

/** Counts the calls of the last second, while there are rate limits. */
@Injectable()
export class RecentCalls {
  readonly #times: Record<CallTally, number[]> = { requests: [], notFound: [] };

  constructor(faults: FaultBoard) {
    faults.onChange(() => {
      if (faults.peek('rateLimit') === null) this.forget();
    });
  }

  note(what: CallTally): void {
    this.recent(what).push(performance.now());
  }

  count(what: CallTally): number {
    return this.recent(what).length;
  }

  private forget(): void {
    for (const times of Object.values(this.#times)) times.length = 0;
  }

  private recent(what: CallTally): number[] {
    const times = this.#times[what];
    const from = performance.now() - WINDOW_MS;
    while (times.length > 0 && times[0]! < from) times.shift();
    return times;
  }
}
