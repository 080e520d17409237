import { type DynamicModule, Module } from '@nestjs/common';
import { createIotaLedger } from '@forecourt/ledger';
import { ledgerOptions, type LedgerSettings } from './ledger-options.js';
import { measureLedgerCalls, Metrics } from '../metrics/index.js';
import { type Logger, LOGGER } from '../service/index.js';
import { logNodeChange } from './log-node-change.js';

/** Injection token of the service's `Ledger`. */
export const LEDGER = Symbol('LEDGER');

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
          inject: [Metrics, LOGGER],
          useFactory: (metrics: Metrics, logger: Logger) =>
            createIotaLedger({
              ...ledgerOptions(settings),
              onCall: measureLedgerCalls(metrics),
              onNodeChange: logNodeChange(logger),
            }),
        },
      ],
      exports: [LEDGER],
    };
  }
}
