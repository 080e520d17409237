import { Batcher } from './batcher.js';

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
