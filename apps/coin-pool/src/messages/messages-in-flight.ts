import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { MessageHandler, Server } from '@nestjs/microservices';
import { ForecourtError } from '@forecourt/contracts';
import { errorMessageOf } from '@forecourt/runtime/transport';
import { throwError } from 'rxjs';

/** Long enough for every busy gateway to send one message and be referred to another replica. */
const REFUSING_MS = 250;

/**
 * Counts the messages that are being answered, so that the service can end after the last of them. Each gets
 * an object as its answer.
 */
@Injectable()
export class MessagesInFlight {
  #count = 0;
  readonly #none = Promise.withResolvers<void>();
  #ending = false;

  /** Counts the messages of a server whose handlers are added later. */
  attachTo(server: Pick<Server, 'addHandler'>): void {
    const add = server.addHandler.bind(server);
    server.addHandler = (pattern, handle, ...rest) => add(pattern, this.counted(handle), ...rest);
  }

  private counted(handle: MessageHandler): MessageHandler {
    return async (...message) => {
      // The message had no effect: the gateway may use another replica.
      if (this.#ending) {
        return throwError(() =>
          errorMessageOf(new ForecourtError('POOL_REFUSED', 'shutting down')),
        );
      }
      this.#count += 1;
      try {
        const answer: unknown = await handle(...message);
        return answer ?? {};
      } finally {
        this.answered();
      }
    };
  }

  /** Refuses every further message; resolves once the gateways know and all earlier messages are answered. */
  async finish(): Promise<void> {
    this.#ending = true;
    await delay(REFUSING_MS);
    if (this.#count === 0) this.#none.resolve();
    await this.#none.promise;
    // Answers are sent at the end of their turn, which may follow the code above.
    await nextTurn();
    await nextTurn();
  }

  private answered(): void {
    this.#count -= 1;
    if (this.#ending && this.#count === 0) this.#none.resolve();
  }
}
