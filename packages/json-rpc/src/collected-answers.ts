import type { CallOrigin } from './call-origin.js';
import { JsonRpcCode, JsonRpcError } from './json-rpc-error.js';

/** The answers to one message while they wait for the last of them. */
export class CollectedAnswers {
  #bytes = 0;
  readonly #releases: (() => void)[] = [];

  constructor(
    private readonly origin: CallOrigin,
    private readonly maxBytes: number,
  ) {}

  get isFull(): boolean {
    return this.#bytes >= this.maxBytes;
  }

  /** False when there is no room for this one. */
  add(answer: string): boolean {
    const bytes = Buffer.byteLength(answer);
    if (this.#bytes + bytes > this.maxBytes) return false;
    this.#bytes += bytes;
    this.#releases.push(this.origin.answers.take(bytes));
    return true;
  }

  tooBig(): JsonRpcError {
    return new JsonRpcError(
      JsonRpcCode.responseTooBig,
      `Response is too big, the limit is ${this.maxBytes} bytes for all answers to one message; ask for less at once`,
    );
  }

  release(): void {
    for (const release of this.#releases) release();
  }
}
