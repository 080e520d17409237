import { Injectable } from '@nestjs/common';
import { FaultBoard } from './fault-board.js';
import type { Fault } from './fault.js';

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

type RateLimit = Extract<Fault, { kind: 'rateLimit' }>;

/** The limit that declines this call; null, and a record of the call, where none does. */
export function takeRateLimit(
  faults: FaultBoard,
  recentCalls: RecentCalls,
  method: string,
  as: RateLimit['as'],
): RateLimit | null {
  let isLimited = false;
  const limit = faults.take('rateLimit', method, (fault) => {
    if (fault.as !== as) return false;
    isLimited = true;
    return fault.perSecond === null || recentCalls.count(fault.of) >= fault.perSecond;
  });
  if (limit === null && isLimited) recentCalls.note('requests');
  return limit;
}
