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

  /** The next one takes over, if `source` is still the one in use. */
  giveUp(source: EventSource, error: unknown): void {
    if (source !== this.current || this.sources.length === 1) return;
    this.#current = (this.#current + 1) % this.sources.length;
    const facts = { upstream: source.name, next: this.current.name };
    this.logger.warn({ ...facts, error: (error as Error).message }, 'upstream failed');
  }

  /** Asks the one in use, then the others. Throws -32000 when none answers. */
  async ask<T>(question: (source: EventSource) => Promise<T>): Promise<T> {
    let failure: unknown;
    for (let attempt = 0; attempt < this.sources.length; attempt++) {
      const source = this.current;
      try {
        return await question(source);
      } catch (error) {
        if (!(error instanceof UpstreamFailed)) throw error;
        failure = error;
        this.giveUp(source, error);
      }
    }
    throw new JsonRpcError(
      JsonRpcCode.callFailed,
      'The ledger node does not answer now; try again shortly',
      undefined,
      { cause: failure },
    );
  }
}
