import { type DynamicModule, Module } from '@nestjs/common';
import { prepareCoinStore, readNetwork } from '@forecourt/coin-store';
import { networkOfSponsors } from '@forecourt/runtime/ledger';
import { PlatformModule } from '@forecourt/runtime/platform';
import type { Service } from '@forecourt/runtime/service';
import { SignersModule } from '@forecourt/runtime/signers';
import { ExecutionsModule } from './executions/executions.module.js';
import { JobPreconditions, jobsIndicator } from './executions/job-preconditions.js';
import type { ExecutorConfig } from './executor-config.js';

@Module({})
export class ExecutorModule {
  static forRoot(config: ExecutorConfig, service: Service): DynamicModule {
    return {
      module: ExecutorModule,
      imports: [
        PlatformModule.forRoot(service, config, {
          prepareRedis: prepareCoinStore,
          network: networkOfSponsors(readNetwork),
          queueRetries: null,
          ready: { inject: JobPreconditions, indicator: jobsIndicator },
        }),
        SignersModule.forRoot(config),
        ExecutionsModule.forRoot(config),
      ],
    };
  }
}
