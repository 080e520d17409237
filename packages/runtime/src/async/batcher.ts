interface Waiting<Request, Reply> {
  readonly request: Request;
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Collects the requests that arrive during a call into the next call. A lone request is not delayed: it is
 * sent at the end of the tick in which it arrived. After a call with several requests, the next one begins at
 * least `gatherMs` later, so that more of them share it.
 */
export class Batcher<Request, Reply> {
  #waiting: Waiting<Request, Reply>[] = [];
  #running = false;

  constructor(
    private readonly run: (requests: readonly Request[]) => Promise<readonly Reply[]>,
    private readonly maxBatch: number,
    private readonly gatherMs = 0,
  ) {}

  add(request: Request): Promise<Reply> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ request, resolve, reject });
      if (!this.#running) {
        this.#running = true;
        void Promise.resolve().then(() => this.drain());
      }
    });
  }

  private async drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, this.maxBatch);
      const nextAt = performance.now() + (batch.length > 1 ? this.gatherMs : 0);
      try {
        const replies = await this.run(batch.map(({ request }) => request));
        batch.forEach(({ resolve }, index) => resolve(replies[index]!));
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
      const waitMs = nextAt - performance.now();
      if (waitMs > 0 && this.#waiting.length < this.maxBatch) {
        await new Promise((resolve) => setTimeout(resolve, waitMs));
      }
    }
    this.#running = false;
  }
}
