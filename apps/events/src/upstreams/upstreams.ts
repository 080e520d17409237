import type { Logger } from '@forecourt/runtime/service';
import { JsonRpcCode, JsonRpcError } from '@forecourt/json-rpc';
import { type EventSource, UpstreamFailed } from './event-source.js';

/** The nodes that serve events, in order of preference; one of them is in use. */
export class Upstreams {
  #current = 0;

  constructor(
    private readonly sources: readonly EventSource[],
    private readonly logger: Logger,
  ) {}

  get current(): EventSource {
    return this.sources[this.#current]!;
  }

  get names(): readonly string[] {
    return this.sources.map(({ name }) => name);
  }

  /** Switches to the next node if `failed` is still the one in use. */
  failOver(failed: EventSource, error: unknown): void {
    if (failed !== this.current || this.sources.length === 1) return;
    this.#current = (this.#current + 1) % this.sources.length;
    this.logger.warn(
      { upstream: failed.name, next: this.current.name, error: (error as Error).message },
      'Upstream failed, switched to the next one',
    );
  }

  /** Queries the node in use, then the others. Throws -32000 when all fail, and what `query` throws besides. */
  async query<T>(query: (source: EventSource) => Promise<T>): Promise<T> {
    let failure: unknown;
    for (let attempt = 0; attempt < this.sources.length; attempt++) {
      const source = this.current;
      try {
        return await query(source);
      } catch (error) {
        if (!(error instanceof UpstreamFailed)) throw error;
        failure = error;
        this.failOver(source, error);
      }
    }
    throw new JsonRpcError(
      JsonRpcCode.callFailed,
      'Ledger node unavailable; retry shortly',
      undefined,
      { cause: failure },
    );
  }
}
