import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { executionReplyChannel, type ExecutionReply } from '@forecourt/contracts';
import { REDIS } from '@forecourt/runtime/service';
import { openSubscriber, type RedisConnection } from '@forecourt/runtime/redis';
import { EXECUTE_PARTS } from './execute-parts.token.js';
import type { ExecuteParts } from './execute-tx.js';

/** Hears from executors on this process's own channel. */
@Injectable()
export class OutcomeListener implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly subscriber: RedisConnection;

  constructor(
    @Inject(REDIS) redis: RedisConnection,
    @Inject(EXECUTE_PARTS) private readonly parts: ExecuteParts,
  ) {
    this.subscriber = openSubscriber(redis);
  }

  async onApplicationBootstrap(): Promise<void> {
    this.subscriber.on('message', (_channel, text: string) => {
      this.parts.watchers.hear(JSON.parse(text) as ExecutionReply);
    });
    await this.subscriber.subscribe(executionReplyChannel(this.parts.gateway));
  }

  onApplicationShutdown(): void {
    this.subscriber.disconnect();
  }
}
