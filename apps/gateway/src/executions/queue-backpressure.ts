import { Inject, Injectable } from '@nestjs/common';
import { ForecourtError } from '@forecourt/contracts';
import { countWaiting, EXECUTION_QUEUE } from '@forecourt/runtime/queue';
import type { Queue } from 'bullmq';
import type { GatewayConfig } from '../gateway-config.js';
import { GATEWAY_CONFIG } from '../gateway-config.module.js';

/** How old a count may be; a burst within this time can exceed the limit by no more than what gateways admit. */
const COUNT_AGE_MS = 250;

/** Bounds the queue: an execution that would wait too long for an executor is refused before it costs anything. */
@Injectable()
export class QueueBackpressure {
  #waiting = 0;
  #countedAt = -Infinity;
  #counting: Promise<void> | null = null;

  constructor(
    @Inject(EXECUTION_QUEUE) private readonly queue: Pick<Queue, 'getJobCountByTypes'>,
    @Inject(GATEWAY_CONFIG) private readonly config: Pick<GatewayConfig, 'maxQueued'>,
  ) {}

  /** Throws OVERLOADED when the queue is full. */
  async requireRoom(): Promise<void> {
    if (performance.now() - this.#countedAt > COUNT_AGE_MS) {
      this.#counting ??= this.count().finally(() => {
        this.#counting = null;
      });
      await this.#counting;
    }
    if (this.#waiting >= this.config.maxQueued) throw new ForecourtError('OVERLOADED');
  }

  /** A queue that cannot be counted counts as empty: adding the job will report the failure. */
  private async count(): Promise<void> {
    try {
      this.#waiting = await countWaiting(this.queue);
    } catch {
      this.#waiting = 0;
    }
    this.#countedAt = performance.now();
  }
}
