import { randomUUID } from 'node:crypto';
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
  RELOAD_ACCESS_RULES_CHANNEL,
  readJsonDto,
  ReloadAccessRules,
} from '@forecourt/contracts';
import { type Logger, LOGGER, REDIS } from '@forecourt/runtime/service';
import { openSubscriber, type RedisConnection } from '@forecourt/runtime/redis';
import { orStoreUnreachable, subscribeAtStart } from '../redis-outage.js';
import { AccessPolicy } from './access-policy.js';
import { GatewayPresence } from './gateway-presence.js';

const ANSWER_TIMEOUT_MS = 5_000;

/** Makes every gateway of the fleet reload its tokens and rules. */
@Injectable()
export class FleetReload implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #subscriber: RedisConnection;
  readonly #answerReaders = new Map<string, (answer: AccessRulesReloaded) => void>();
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
    this.#answerReaders.set(channel, ({ gateway, mistake }) => {
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
      this.#answerReaders.delete(channel);
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
        this.#answerReaders.get(channel)?.(readJsonDto(AccessRulesReloaded, text));
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
