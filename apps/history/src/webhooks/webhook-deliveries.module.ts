import { Module } from '@nestjs/common';
import type { CoinStoreRedis } from '@forecourt/coin-store';
import { createIotaCodec } from '@forecourt/ledger';
import { Metrics } from '@forecourt/runtime/metrics';
import { type Logger, LOGGER, REDIS } from '@forecourt/runtime/service';
import { Database } from '../database/database.js';
import { DAY_MS } from '../database/record-ids.js';
import { HISTORY_CONFIG, type HistoryConfig } from '../history-config.js';
import { WebhookMessagesController } from './webhook-messages.controller.js';
import { Webhooks } from './webhooks.js';

/** Notifies webhooks, and answers gateways about them. */
@Module({
  controllers: [WebhookMessagesController],
  providers: [
    {
      provide: Webhooks,
      inject: [HISTORY_CONFIG, Database, REDIS, Metrics, LOGGER],
      useFactory: (
        config: HistoryConfig,
        database: Database,
        redis: CoinStoreRedis,
        metrics: Metrics,
        logger: Logger,
      ) => {
        const retentionMs = config.retentionDays * DAY_MS;
        const decoder = createIotaCodec();
        const parts = { database, redis, decoder, metrics, logger };
        return Webhooks.open({ ...config, retentionMs }, parts);
      },
    },
  ],
  exports: [Webhooks],
})
export class WebhookDeliveriesModule {}
