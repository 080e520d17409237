import type { ServerResponse } from 'node:http';
import { widestGroupOf } from '@forecourt/admission';
import type { CallOrigin } from './call-origin.js';
import { ByteCounter } from './limits/byte-counter.js';
import { CallSlots } from './limits/call-slots.js';
import type { MemoryBudget, MemoryConsumer } from '@forecourt/admission';

/** One HTTP request, from the arrival of its body until its response is sent or its client disconnects. */
export class HttpOrigin implements CallOrigin, MemoryConsumer {
  readonly #closed = new AbortController();
  readonly memory: ByteCounter;
  readonly responses: ByteCounter;
  readonly slots: CallSlots;

  constructor(
    readonly client: string,
    private readonly response: ServerResponse,
    maxPendingCalls: number,
    budget?: MemoryBudget,
  ) {
    this.memory = new ByteCounter((bytes) => budget?.noteAdded(bytes));
    this.responses = new ByteCounter((bytes) => budget?.noteAdded(bytes));
    this.slots = new CallSlots(maxPendingCalls);
    budget?.add(this);
    response.once('close', () => {
      budget?.remove(this);
      this.#closed.abort();
    });
  }

  get turnTaker(): string {
    return widestGroupOf(this.client);
  }

  get signal(): AbortSignal {
    return this.#closed.signal;
  }

  get usedBytes(): number {
    return this.memory.bytes + this.responses.bytes;
  }

  shed(): void {
    this.#closed.abort();
    this.response.destroy();
  }
}
