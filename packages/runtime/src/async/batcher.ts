interface Waiting<Request, Reply> {
  readonly request: Request;
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Collects the requests that arrive during a call into the next call. A lone request is not delayed: it is sent at
 * the end of the tick in which it arrived.
 */
export class Batcher<Request, Reply> {
  private waiting: Waiting<Request, Reply>[] = [];
  private running = false;

  constructor(
    private readonly run: (requests: readonly Request[]) => Promise<readonly Reply[]>,
    private readonly maxBatch: number,
  ) {}

  add(request: Request): Promise<Reply> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ request, resolve, reject });
      if (!this.running) {
        this.running = true;
        queueMicrotask(() => void this.drain());
      }
    });
  }

  private async drain(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, this.maxBatch);
      try {
        const replies = await this.run(batch.map(({ request }) => request));
        batch.forEach(({ resolve }, index) => resolve(replies[index]!));
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.running = false;
  }
}

/** A `Batcher` for each key: requests with the same key share a call. */
export class KeyedBatcher<Request, Reply> {
  private readonly batchers = new Map<string, Batcher<Request, Reply>>();

  constructor(
    private readonly run: (key: string, requests: readonly Request[]) => Promise<readonly Reply[]>,
    private readonly maxBatch: number,
  ) {}

  add(key: string, request: Request): Promise<Reply> {
    let batcher = this.batchers.get(key);
    if (!batcher) {
      batcher = new Batcher((requests) => this.run(key, requests), this.maxBatch);
      this.batchers.set(key, batcher);
    }
    return batcher.add(request);
  }
}
