import { type DynamicModule, Module } from '@nestjs/common';
import { createLocalSigner } from '@forecourt/ledger';
import { KEY_FILE, KeyFileWatcher } from './key-file-watcher.js';
import { Signers } from './signers.js';

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
    const signers = new Signers(sponsorKeys.map((key) => createLocalSigner(key)));
    return {
      module: SignersModule,
      global: true,
      providers: [
        { provide: Signers, useValue: signers },
        { provide: KEY_FILE, useValue: sponsorKeysFile },
        KeyFileWatcher,
      ],
      exports: [Signers],
    };
  }
}
