import type { ServerResponse } from 'node:http';
import type { CallOrigin } from './call-origin.js';
import { CallSlots } from './limits/call-slots.js';
import { HeldBytes } from './limits/held-bytes.js';
import type { MemoryBudget, MemoryConsumer } from './limits/memory-budget.js';

/** One HTTP request, from when its body has arrived until its answer has gone or its client has. */
export class HttpOrigin implements CallOrigin, MemoryConsumer {
  readonly #left = new AbortController();
  readonly held: HeldBytes;
  readonly answers: HeldBytes;
  readonly slots: CallSlots;

  constructor(
    readonly client: string,
    private readonly response: ServerResponse,
    maxPendingCalls: number,
    memory?: MemoryBudget,
  ) {
    this.held = new HeldBytes((bytes) => memory?.note(bytes));
    this.answers = new HeldBytes((bytes) => memory?.note(bytes));
    this.slots = new CallSlots(maxPendingCalls);
    memory?.add(this);
    response.once('close', () => {
      memory?.remove(this);
      this.#left.abort();
    });
  }

  get signal(): AbortSignal {
    return this.#left.signal;
  }

  get heldBytes(): number {
    return this.held.bytes + this.answers.bytes;
  }

  shed(): void {
    this.#left.abort();
    this.response.destroy();
  }
}
