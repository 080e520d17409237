import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { ExecutionReply, executionReplyChannel, readJsonDto } from '@forecourt/contracts';
import { type Logger, LOGGER, REDIS } from '@forecourt/runtime/service';
import { openSubscriber, type RedisConnection } from '@forecourt/runtime/redis';
import { subscribeAtStart } from '../subscribe-at-start.js';
import { OutcomeWatchers } from './outcome-watchers.js';

/** Receives outcomes from executors on this process's own channel, and passes them to `OutcomeWatchers`. */
@Injectable()
export class OutcomeListener implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly subscriber: RedisConnection;

  constructor(
    @Inject(REDIS) redis: RedisConnection,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly watchers: OutcomeWatchers,
  ) {
    this.subscriber = openSubscriber(redis);
  }

  async onApplicationBootstrap(): Promise<void> {
    this.subscriber.on('message', (_channel, text: string) => this.receive(text));
    const channel = executionReplyChannel(this.watchers.gateway);
    await subscribeAtStart(this.subscriber, channel, this.logger);
  }

  onApplicationShutdown(): void {
    this.subscriber.disconnect();
  }

  private receive(text: string): void {
    try {
      this.watchers.receive(readJsonDto(ExecutionReply, text));
    } catch (error) {
      this.logger.error({ error: String(error) }, 'invalid execution reply ignored');
    }
  }
}
