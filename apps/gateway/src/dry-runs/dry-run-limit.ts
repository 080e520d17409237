import { Inject, Injectable } from '@nestjs/common';
import { ForecourtError } from '@forecourt/contracts';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { GatewayConfig } from '../gateway-config.js';
import { GATEWAY_CONFIG } from '../gateway-config.module.js';

const WINDOW_SECS = 60;

/** Bounds the dry runs of a caller at this gateway: each costs a node as much as an execution, and the caller nothing. */
@Injectable()
export class DryRunLimit {
  readonly #limiter: RateLimiterMemory;

  constructor(
    @Inject(GATEWAY_CONFIG) { maxDryRunsPerMinute }: Pick<GatewayConfig, 'maxDryRunsPerMinute'>,
  ) {
    this.#limiter = new RateLimiterMemory({ points: maxDryRunsPerMinute, duration: WINDOW_SECS });
  }

  /** Counts a dry run. Throws DRY_RUN_LIMIT. */
  async count(caller: string): Promise<void> {
    try {
      await this.#limiter.consume(caller);
    } catch (cause) {
      if (!(cause instanceof RateLimiterRes)) throw cause;
      const retryAfterSecs = Math.max(1, Math.ceil(cause.msBeforeNext / 1_000));
      throw new ForecourtError('DRY_RUN_LIMIT', '', { retryAfterSecs });
    }
  }
}
