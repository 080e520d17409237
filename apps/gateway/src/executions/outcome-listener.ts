import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { executionReplyChannel, type ExecutionReply } from '@forecourt/contracts';
import { REDIS } from '@forecourt/runtime/service';
import { openSubscriber, type RedisConnection } from '@forecourt/runtime/redis';
import { OutcomeWatchers } from './outcome-watchers.js';

/** Hears from executors on this process's own channel. */
@Injectable()
export class OutcomeListener implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly subscriber: RedisConnection;

  constructor(
    @Inject(REDIS) redis: RedisConnection,
    private readonly watchers: OutcomeWatchers,
  ) {
    this.subscriber = openSubscriber(redis);
  }

  async onApplicationBootstrap(): Promise<void> {
    this.subscriber.on('message', (_channel, text: string) => {
      this.watchers.hear(JSON.parse(text) as ExecutionReply);
    });
    await this.subscriber.subscribe(executionReplyChannel(this.watchers.gateway));
  }

  onApplicationShutdown(): void {
    this.subscriber.disconnect();
  }
}
