import { type DynamicModule, Module } from '@nestjs/common';
import { createIotaLedger } from '@forecourt/ledger';
import { HealthModule, ledgerIndicator } from '@forecourt/service-host';
import type { EventsConfig } from './events-config.js';

/** The place of the ledger's event queries and subscriptions; so far it answers its probes. */
@Module({})
export class EventsModule {
  static with(config: EventsConfig): DynamicModule {
    const ledger = createIotaLedger({
      url: config.ledgerUrl,
      requestTimeoutMs: config.ledgerTimeoutMs,
    });
    return {
      module: EventsModule,
      imports: [HealthModule.with({ ready: () => [ledgerIndicator(ledger)] })],
    };
  }
}
