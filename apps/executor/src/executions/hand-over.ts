import { OutcomePending } from './outcome-pending.js';

/** Ends running work early when the executor shuts down, so that another one continues it. */
export class HandOver {
  readonly #running = new Set<(reason: Error) => void>();

  /**
   * Ends like `work`, or with `OutcomePending` when it is handed over before. Not a race against one promise for
   * all jobs, which would keep memory of every job until the process ends.
   */
  async watch<T>(work: Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#running.add(reject);
    work.then(resolve, reject);
    try {
      return await promise;
    } finally {
      this.#running.delete(reject);
    }
  }

  /** Hands over all running work now. */
  handOver(): void {
    const reason = new OutcomePending('Executor is shutting down: handed over');
    for (const reject of this.#running) reject(reason);
  }
}
