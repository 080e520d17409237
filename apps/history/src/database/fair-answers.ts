import { ForecourtError, type Viewer } from '@forecourt/contracts';
import { FairBulkhead, gatewayLimits, NoPlace } from '@forecourt/resilience';
import { sharePathOf } from '@forecourt/sponsorship';
import { ANSWER_MS } from './database.js';

/** Answers that wait for a reader, of all viewers. */
const MOST_WAITING = gatewayLimits.waitingRecordReads.default;

/**
 * Shares the readers of the database among viewers: the tokens, and the users of each. However long the
 * answers to one take, a reader is left for the others.
 */
export class FairAnswers {
  readonly #readers: FairBulkhead;

  constructor(readers: number) {
    this.#readers = new FairBulkhead(readers, { waiting: MOST_WAITING });
  }

  /**
   * Asks as soon as the viewer's share allows it, which takes one reader at a time. Throws OVERLOADED where
   * too many answers wait or the gateway waits no longer, and what `ask` throws.
   */
  async answer<T>(viewer: Viewer, ask: () => Promise<T>): Promise<T> {
    const askedAt = performance.now();
    try {
      return await this.#readers.run(sharePathOf(viewer), async () => {
        if (performance.now() - askedAt > ANSWER_MS) throw new NoPlace();
        return ask();
      });
    } catch (error) {
      throw error instanceof NoPlace ? new ForecourtError('OVERLOADED') : error;
    }
  }
}
