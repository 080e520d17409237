import { Inject, Injectable } from '@nestjs/common';
import { ForecourtError } from '@forecourt/contracts';
import { rememberAnswer } from '@forecourt/resilience';
import { countWaiting, EXECUTION_QUEUE } from '@forecourt/runtime/queue';
import type { Queue } from 'bullmq';
import type { GatewayConfig } from '../gateway-config.js';
import { GATEWAY_CONFIG } from '../gateway-config.module.js';

/**
 * Age up to which a count is used. A burst within this time exceeds the limit by at most what gateways admit.
 */
const COUNT_AGE_MS = 250;

/** Bounds how many executions wait for executors. */
@Injectable()
export class QueueBound {
  /**
   * A queue that cannot be counted counts as empty: the coin-pool, which adds jobs, will report the failure.
   */
  readonly #waiting = rememberAnswer(() => countWaiting(this.queue).catch(() => 0), COUNT_AGE_MS);

  constructor(
    @Inject(EXECUTION_QUEUE) private readonly queue: Queue,
    @Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig,
  ) {}

  /** Throws OVERLOADED if an execution would wait too long for an executor, before it costs anything. */
  async requireRoom(): Promise<void> {
    if ((await this.#waiting()) >= this.config.maxQueued) throw new ForecourtError('OVERLOADED');
  }
}
