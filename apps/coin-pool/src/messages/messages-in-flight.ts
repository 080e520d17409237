import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { type CallHandler, Injectable, type NestInterceptor } from '@nestjs/common';
import { ForecourtError } from '@forecourt/contracts';
import { defer, finalize, map, type Observable, throwError } from 'rxjs';

/** Long enough for every busy gateway to send one message and be referred to another replica. */
const REFUSING_MS = 250;

/**
 * Counts the messages that are being answered, so that the service can end after the last of them. Each gets
 * an object as its answer.
 */
@Injectable()
export class MessagesInFlight implements NestInterceptor {
  #count = 0;
  readonly #none = Promise.withResolvers<void>();
  #ending = false;

  intercept(_context: unknown, next: CallHandler): Observable<unknown> {
    // The message had no effect: the gateway may use another replica.
    if (this.#ending) {
      return throwError(() => new ForecourtError('POOL_REFUSED', 'shutting down'));
    }
    return defer(() => {
      this.#count += 1;
      return next.handle();
    }).pipe(
      map((answer: unknown) => answer ?? {}),
      finalize(() => this.answered()),
    );
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
