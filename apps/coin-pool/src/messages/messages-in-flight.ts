import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { type CallHandler, Injectable, type NestInterceptor } from '@nestjs/common';
import { ForecourtError } from '@forecourt/contracts';
import { defer, finalize, type Observable, throwError } from 'rxjs';

/** Long enough that every busy gateway has asked once and been sent to another replica. */
const LEAVING_MS = 250;

/** Knows the messages that are being answered, so that the service can end after the last of them. */
@Injectable()
export class MessagesInFlight implements NestInterceptor {
  private count = 0;
  private readonly none = Promise.withResolvers<void>();
  private ending = false;

  intercept(_context: unknown, next: CallHandler): Observable<unknown> {
    // Nothing has been done for it: whoever sent it may ask another replica.
    if (this.ending) return throwError(() => new ForecourtError('POOL_REFUSED', 'it is stopping'));
    return defer(() => {
      this.count += 1;
      return next.handle();
    }).pipe(finalize(() => this.left()));
  }

  /** Refuses what comes from now on; resolves once that is known and everything before is answered. */
  async finish(): Promise<void> {
    this.ending = true;
    await delay(LEAVING_MS);
    if (this.count === 0) this.none.resolve();
    await this.none.promise;
    // The last answer leaves with all others of its turn, and whoever waited here may be ahead of that.
    await nextTurn();
    await nextTurn();
  }

  private left(): void {
    this.count -= 1;
    if (this.ending && this.count === 0) this.none.resolve();
  }
}
