import { Inject, Injectable } from '@nestjs/common';
import { ForecourtError } from '@forecourt/contracts';
import type { RedisConnection } from '@forecourt/runtime/redis';
import { REDIS } from '@forecourt/runtime/service';
import { WindowCounter } from '@forecourt/admission';
import type { GatewayConfig } from '../gateway-config.js';
import { GATEWAY_CONFIG } from '../gateway-config.module.js';

const WINDOW_SECS = 60;

/**
 * Bounds the transactions of a caller that the ledger refuses, or whose inputs it does not show, for the whole fleet: each of them costs reads at a node and
 * leads to nothing. A caller beyond the bound is refused until its window ends; each gateway learns of this with the next
 * refusal it counts, so that calls within the bound never wait for Redis.
 */
@Injectable()
export class RefusedExecutions {
  readonly #counter: WindowCounter;
  /** When a caller may try again, on the clock of `performance.now()`. */
  readonly #blockedUntil = new Map<string, number>();

  constructor(
    @Inject(REDIS) redis: RedisConnection,
    @Inject(GATEWAY_CONFIG) { maxRefusedExecutions }: Pick<GatewayConfig, 'maxRefusedExecutions'>,
  ) {
    const window = { most: maxRefusedExecutions, seconds: WINDOW_SECS };
    this.#counter = WindowCounter.inFleet(redis, 'fc:refused', window, 'count alone');
  }

  /** Throws REFUSED_TOO_OFTEN while the caller is beyond its bound. */
  requireRoom(caller: string): void {
    const blockedUntil = this.#blockedUntil.get(caller);
    if (blockedUntil === undefined) return;
    const leftMs = blockedUntil - performance.now();
    if (leftMs > 0) {
      const retryAfterSecs = Math.ceil(leftMs / 1_000);
      throw new ForecourtError('REFUSED_TOO_OFTEN', '', { retryAfterSecs });
    }
    this.#blockedUntil.delete(caller);
  }

  /** Takes back one that was counted. */
  async uncount(caller: string): Promise<void> {
    await this.#counter.giveBack(caller);
  }

  /** Counts a refusal. */
  async count(caller: string): Promise<void> {
    const seconds = await this.#counter.take(caller);
    if (seconds > 0) this.#blockedUntil.set(caller, performance.now() + 1_000 * seconds);
  }
}
