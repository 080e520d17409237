import { Inject, Injectable } from '@nestjs/common';
import { WindowCounter } from '@forecourt/admission';
import { consumeOrRefuse } from '../authorization/consume-or-refuse.js';
import type { GatewayConfig } from '../gateway-config.js';
import { GATEWAY_CONFIG } from '../gateway-config.module.js';

const WINDOW_SECS = 60;

/** Bounds the dry runs of a caller at this gateway: each costs a node as much as an execution, and the caller nothing. */
@Injectable()
export class DryRunLimit {
  readonly #limiter: WindowCounter;

  constructor(
    @Inject(GATEWAY_CONFIG) { maxDryRunsPerMinute }: Pick<GatewayConfig, 'maxDryRunsPerMinute'>,
  ) {
    this.#limiter = WindowCounter.inProcess({ most: maxDryRunsPerMinute, seconds: WINDOW_SECS });
  }

  /** Counts a dry run. Throws DRY_RUN_LIMIT. */
  async count(caller: string): Promise<void> {
    await consumeOrRefuse(this.#limiter, caller, 'DRY_RUN_LIMIT');
  }
}
