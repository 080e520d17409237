import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { executionReplyChannel, type ExecutionReply } from '@forecourt/contracts';
import { REDIS } from '@forecourt/service-host';
import type { Redis } from 'ioredis';
import { EXECUTE_PARTS } from './execute-parts.token.js';
import type { ExecuteParts } from './execute-tx.js';

/** Hears from executors on this process's own channel. */
@Injectable()
export class OutcomeListener implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly subscriber: Redis;

  constructor(
    @Inject(REDIS) redis: Redis,
    @Inject(EXECUTE_PARTS) private readonly parts: ExecuteParts,
  ) {
    // Subscribes again by itself after an outage.
    this.subscriber = redis.duplicate({ maxRetriesPerRequest: null, commandTimeout: undefined });
    this.subscriber.on('error', () => undefined);
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
