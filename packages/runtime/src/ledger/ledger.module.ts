import { type DynamicModule, Module } from '@nestjs/common';
import { createIotaLedger } from '@forecourt/ledger';
import { measureLedgerCalls, Metrics } from '../metrics/index.js';

/** Injection token of the service's `Ledger`. */
export const LEDGER = Symbol('LEDGER');

/** Where the ledger's nodes are; the values of the `ledger…` variables of `fleetVariables`. */
export interface LedgerSettings {
  readonly ledgerUrl: string;
  readonly ledgerReadUrl: string | null;
  readonly ledgerTimeoutMs: number;
}

/** The configured ledger, whose calls are measured, for every module of a service. */
@Module({})
export class LedgerModule {
  static forRoot(settings: LedgerSettings): DynamicModule {
    return {
      module: LedgerModule,
      global: true,
      providers: [
        {
          provide: LEDGER,
          inject: [Metrics],
          useFactory: (metrics: Metrics) =>
            createIotaLedger({
              url: settings.ledgerUrl,
              readUrl: settings.ledgerReadUrl ?? undefined,
              requestTimeoutMs: settings.ledgerTimeoutMs,
              onCall: measureLedgerCalls(metrics),
            }),
        },
      ],
      exports: [LEDGER],
    };
  }
}
