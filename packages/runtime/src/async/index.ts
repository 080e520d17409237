interface Waiting<Request, Reply> {
  readonly request: Request;
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Collects the requests that arrive during a call into the next call. A lone request is not delayed: it is sent at
 * the end of the tick in which it arrived. After a call with several requests, the next one begins at least `gatherMs`
 * later, so that more of them share it.
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
        queueMicrotask(() => void this.drain());
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

/** A `Batcher` for each key: requests with the same key share a call. */
export class KeyedBatcher<Request, Reply> {
  readonly #batchers = new Map<string, Batcher<Request, Reply>>();

  constructor(
    private readonly run: (key: string, requests: readonly Request[]) => Promise<readonly Reply[]>,
    private readonly maxBatch: number,
    private readonly gatherMs = 0,
  ) {}

  add(key: string, request: Request): Promise<Reply> {
    let batcher = this.#batchers.get(key);
    if (!batcher) {
      const run = (requests: readonly Request[]) => this.run(key, requests);
      batcher = new Batcher(run, this.maxBatch, this.gatherMs);
      this.#batchers.set(key, batcher);
    }
    return batcher.add(request);
  }
}

/** The promise's result. Throws `Error` with `what` when it takes longer than `ms`. */
export async function within<T>(promise: Promise<T>, ms: number, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took longer than ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Calls `ask` until an answer arrives within `withinMs` of its call, and returns it. Drops an answer that a pause
 * of this process has delayed: it may be out of date. Throws the errors of `ask`.
 */
export async function retryUntilFresh<T>(withinMs: number, ask: () => Promise<T>): Promise<T> {
  for (;;) {
    const askedAt = performance.now();
    const answer = await ask();
    if (performance.now() - askedAt <= withinMs) return answer;
  }
}
