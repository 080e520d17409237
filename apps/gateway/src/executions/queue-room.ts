import { ForecourtError } from '@forecourt/contracts';

/** How old a count may be; a burst in this time can go over the bound by no more than what gateways admit. */
const COUNT_AGE_MS = 250;

/** Bounds the queue: what would wait too long for an executor is refused while it still costs nothing. */
export class QueueRoom {
  #waiting = 0;
  #countedAt = -Infinity;
  #counting: Promise<void> | null = null;

  constructor(
    private readonly countWaiting: () => Promise<number>,
    private readonly most: number,
  ) {}

  /** Throws OVERLOADED when the queue is full. */
  async require(): Promise<void> {
    if (performance.now() - this.#countedAt > COUNT_AGE_MS) {
      this.#counting ??= this.count().finally(() => {
        this.#counting = null;
      });
      await this.#counting;
    }
    if (this.#waiting >= this.most) throw new ForecourtError('OVERLOADED');
  }

  /** A queue that cannot be counted says so when the job is added. */
  private async count(): Promise<void> {
    try {
      this.#waiting = await this.countWaiting();
    } catch {
      this.#waiting = 0;
    }
    this.#countedAt = performance.now();
  }
}
