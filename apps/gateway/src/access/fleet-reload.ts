import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import {
  AccessRulesReloaded,
  accessRulesReloadedChannel,
  ForecourtError,
  GATEWAYS_KEY,
  RELOAD_ACCESS_RULES_CHANNEL,
  readJsonDto,
  ReloadAccessRules,
} from '@forecourt/contracts';
import { type Logger, LOGGER, REDIS } from '@forecourt/runtime/service';
import { openSubscriber, type RedisConnection } from '@forecourt/runtime/redis';
import { orStoreUnreachable, subscribeAtStart } from '../redis-outage.js';
import { AccessPolicy } from './access-policy.js';

const ANNOUNCED_EVERY_MS = 2_000;
/** A gateway that has not announced itself for this long is gone. */
const GONE_AFTER_MS = 10_000;

/** Announces this gateway to the others, and lists them. */
@Injectable()
export class GatewayPresence implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly name = `${hostname()}:${process.pid}`;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    @Inject(REDIS) private readonly redis: RedisConnection,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.announce();
    this.#timer = setInterval(() => void this.announce(), ANNOUNCED_EVERY_MS);
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.#timer);
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
      await this.redis.zadd(GATEWAYS_KEY, now, this.name);
      await this.redis.zremrangebyscore(GATEWAYS_KEY, '-inf', now - GONE_AFTER_MS);
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

const ANSWER_TIMEOUT_MS = 5_000;

/** Makes every gateway of the fleet reload its tokens and rules. */
@Injectable()
export class FleetReload implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #subscriber: RedisConnection;
  readonly #asked = new Map<string, (answer: AccessRulesReloaded) => void>();
  readonly #onHangUp = () => void this.reloadHere();

  constructor(
    @Inject(REDIS) private readonly redis: RedisConnection,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly access: AccessPolicy,
    private readonly presence: GatewayPresence,
  ) {
    this.#subscriber = openSubscriber(redis);
  }

  async onApplicationBootstrap(): Promise<void> {
    this.#subscriber.on('message', (channel: string, text: string) => this.receive(channel, text));
    await subscribeAtStart(this.#subscriber, RELOAD_ACCESS_RULES_CHANNEL, this.logger);
    process.on('SIGHUP', this.#onHangUp);
  }

  onApplicationShutdown(): void {
    process.off('SIGHUP', this.#onHangUp);
    this.#subscriber.disconnect();
  }

  /**
   * Resolves once every gateway has loaded its files. Throws ACCESS_RULES_INVALID if a file of this gateway
   * has a mistake (the other gateways then keep their files), ACCESS_RULES_NOT_EVERYWHERE naming the gateways
   * that have not loaded theirs, and STORE_UNREACHABLE.
   */
  async reload(): Promise<void> {
    await this.access.reload(this.logger);
    const everyone = await orStoreUnreachable(this.presence.everyone());
    const missing = new Map(everyone.map((name) => [name, 'no answer']));
    const id = randomUUID();
    const channel = accessRulesReloadedChannel(id);
    const { promise: all, resolve } = Promise.withResolvers<void>();
    this.#asked.set(channel, ({ gateway, mistake }) => {
      if (mistake === null) missing.delete(gateway);
      else missing.set(gateway, mistake);
      if (missing.size === 0) resolve();
    });
    const late = setTimeout(resolve, ANSWER_TIMEOUT_MS);
    try {
      await orStoreUnreachable(this.#subscriber.subscribe(channel));
      const request: ReloadAccessRules = { id };
      await orStoreUnreachable(
        this.redis.publish(RELOAD_ACCESS_RULES_CHANNEL, JSON.stringify(request)),
      );
      await all;
    } finally {
      clearTimeout(late);
      this.#asked.delete(channel);
      await this.#subscriber.unsubscribe(channel).catch(() => undefined);
    }
    if (missing.size === 0) return;
    const names = [...missing].map(([name, reason]) => `${name} (${reason})`);
    throw new ForecourtError('ACCESS_RULES_NOT_EVERYWHERE', names.join(', '));
  }

  private receive(channel: string, text: string): void {
    try {
      if (channel === RELOAD_ACCESS_RULES_CHANNEL) {
        void this.answer(readJsonDto(ReloadAccessRules, text).id);
      } else {
        this.#asked.get(channel)?.(readJsonDto(AccessRulesReloaded, text));
      }
    } catch (error) {
      this.logger.error({ channel, error: String(error) }, 'invalid access rules message ignored');
    }
  }

  private async answer(id: string): Promise<void> {
    const answer: AccessRulesReloaded = {
      gateway: this.presence.name,
      mistake: await this.reloadHere(),
    };
    await this.redis
      .publish(accessRulesReloadedChannel(id), JSON.stringify(answer))
      .catch((error: unknown) =>
        this.logger.warn({ error: String(error) }, 'result of the access rule reload not sent'),
      );
  }

  /** Reloads the files of this gateway alone. Resolves with the mistake in them; null: they are in force. */
  async reloadHere(): Promise<string | null> {
    try {
      await this.access.reload(this.logger);
      return null;
    } catch (error) {
      const { message } = error as Error;
      this.logger.error(
        { error: message },
        'access rules not reloaded: the previous ones stay in force',
      );
      return message;
    }
  }
}
