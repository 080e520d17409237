import { parseKeyEntries, SignerSource } from '@forecourt/key-services';
import { type DynamicModule, Module } from '@nestjs/common';
import { Metrics } from '../metrics/index.js';
import { type Logger, LOGGER } from '../service/index.js';
import { KEY_FILE, KeyFileWatcher } from './key-file-watcher.js';
import { Signers } from './signers.js';
import { SignerMetrics } from './signer-metrics.js';
import { SignerChecks } from './signer-checks.js';

/** The part of a service's configuration that this module needs. */
export interface SignersSettings {
  readonly sponsorKeys: readonly string[];
  /** The watched file that they were read from; null: they come from the environment. */
  readonly sponsorKeysFile: string | null;
}

/** The sponsors' signers, for every module of a service. */
@Module({})
export class SignersModule {
  /** Throws `TypeError` for a malformed key. */
  static forRoot({ sponsorKeys, sponsorKeysFile }: SignersSettings): DynamicModule {
    parseKeyEntries(sponsorKeys);
    return {
      module: SignersModule,
      global: true,
      providers: [
        {
          provide: SignerSource,
          inject: [Metrics, LOGGER],
          useFactory: (metrics: Metrics, logger: Logger) =>
            new SignerSource(new SignerMetrics(metrics, logger)),
        },
        {
          provide: Signers,
          inject: [SignerSource],
          useFactory: (source: SignerSource) => new Signers(source.read(sponsorKeys)),
        },
        { provide: KEY_FILE, useValue: sponsorKeysFile },
        KeyFileWatcher,
        SignerChecks,
      ],
      exports: [Signers],
    };
  }
}
