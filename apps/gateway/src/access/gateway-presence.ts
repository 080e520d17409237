import { hostname } from 'node:os';
import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { GATEWAYS_KEY } from '@forecourt/contracts';
import { onTicks } from '@forecourt/resilience';
import { type Logger, LOGGER, REDIS } from '@forecourt/runtime/service';
import type { RedisConnection } from '@forecourt/runtime/redis';

const ANNOUNCED_EVERY_MS = 2_000;
/** A gateway that has not announced itself for this long is gone. */
const GONE_AFTER_MS = 10_000;

/** Announces this gateway to the others, and lists them. */
@Injectable()
export class GatewayPresence implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly name = `${hostname()}:${process.pid}`;
  #stop = () => {};

  constructor(
    @Inject(REDIS) private readonly redis: RedisConnection,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.announce();
    this.#stop = onTicks(ANNOUNCED_EVERY_MS, () => void this.announce());
  }

  async onApplicationShutdown(): Promise<void> {
    this.#stop();
    await this.redis.zrem(GATEWAYS_KEY, this.name).catch(() => undefined);
  }

  /** Names of all running gateways, including this one. Rejects if Redis does not answer. */
  async everyone(): Promise<string[]> {
    const since = (await this.now()) - GONE_AFTER_MS;
    const names = await this.redis.zrangebyscore(GATEWAYS_KEY, since, '+inf');
    return [...new Set([...names, this.name])];
  }

  private async announce(): Promise<void> {
    try {
      const now = await this.now();
      await Promise.all([
        this.redis.zadd(GATEWAYS_KEY, now, this.name),
        this.redis.zremrangebyscore(GATEWAYS_KEY, '-inf', now - GONE_AFTER_MS),
      ]);
    } catch (error) {
      this.logger.debug({ error: String(error) }, 'presence of this gateway not announced');
    }
  }

  /** By Redis's clock, because the clocks of the gateways may differ. */
  private async now(): Promise<number> {
    const [seconds, microseconds] = await this.redis.time();
    return Number(seconds) * 1_000 + Math.floor(Number(microseconds) / 1_000);
  }
}
