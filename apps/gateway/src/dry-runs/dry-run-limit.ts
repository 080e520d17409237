import { Inject, Injectable } from '@nestjs/common';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { consumeOrRefuse } from '../access/rate-limits.js';
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
    await consumeOrRefuse(this.#limiter, caller, 'DRY_RUN_LIMIT');
  }
}
