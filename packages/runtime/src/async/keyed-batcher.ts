import { Batcher } from './batcher.js';

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
