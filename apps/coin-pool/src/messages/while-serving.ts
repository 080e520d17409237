import { setTimeout as delay } from 'node:timers/promises';
import {
  type BeforeApplicationShutdown,
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import { ForecourtError } from '@forecourt/contracts';
import { ServiceState } from '@forecourt/service-host';
import { finalize, type Observable } from 'rxjs';

/** Long enough that every busy gateway has asked once and been sent to another replica. */
const LEAVING_MS = 250;

/**
 * A stop without a lost message: from then on new ones are refused, which tells gateways to ask another replica, and
 * those that were taken are answered before the connections are cut.
 */
@Injectable()
export class WhileServing implements NestInterceptor, BeforeApplicationShutdown {
  private underWay = 0;
  private whenIdle: () => void = () => undefined;

  constructor(private readonly state: ServiceState) {}

  /** Raises POOL_REFUSED. */
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (this.state.stopping) throw new ForecourtError('POOL_REFUSED', 'it is stopping');
    this.underWay += 1;
    return next.handle().pipe(
      finalize(() => {
        this.underWay -= 1;
        if (this.underWay === 0) this.whenIdle();
      }),
    );
  }

  async beforeApplicationShutdown(): Promise<void> {
    await delay(LEAVING_MS);
    if (this.underWay > 0) await new Promise<void>((resolve) => (this.whenIdle = resolve));
  }
}
