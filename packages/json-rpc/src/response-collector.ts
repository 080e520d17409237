import type { CallOrigin } from './call-origin.js';
import { JsonRpcCode, JsonRpcError } from './json-rpc-error.js';

/** The responses to one message while they wait for the last of them. */
export class ResponseCollector {
  #bytes = 0;
  readonly #releases: (() => void)[] = [];

  constructor(
    private readonly origin: CallOrigin,
    private readonly maxBytes: number,
  ) {}

  get isFull(): boolean {
    return this.#bytes >= this.maxBytes;
  }

  /** Counts a response of `bytes` bytes; returns false, counting nothing, when it does not fit. */
  add(bytes: number): boolean {
    if (this.#bytes + bytes > this.maxBytes) return false;
    this.#bytes += bytes;
    this.#releases.push(this.origin.responses.add(bytes));
    return true;
  }

  tooBig(): JsonRpcError {
    return new JsonRpcError(
      JsonRpcCode.responseTooBig,
      `Response is too big: the limit is ${this.maxBytes} bytes for all responses to one message; request less data at once`,
    );
  }

  release(): void {
    for (const release of this.#releases) release();
  }
}
