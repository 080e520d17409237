import { type DynamicModule, Module } from '@nestjs/common';
import { prepareCoinStore, readNetwork } from '@forecourt/coin-store';
import { networkOfSponsors } from '@forecourt/runtime/ledger';
import { PlatformModule } from '@forecourt/runtime/platform';
import type { Service } from '@forecourt/runtime/service';
import { SignersModule } from '@forecourt/runtime/signers';
import type { CoinPoolConfig } from './coin-pool-config.js';
import { MessagesModule } from './messages/messages.module.js';
import { poolIndicator, PoolState } from './pool/pool-opener.js';
import { PoolModule } from './pool/pool.module.js';
import { UpkeepModule } from './upkeep/upkeep.module.js';

@Module({})
export class CoinPoolModule {
  static forRoot(config: CoinPoolConfig, service: Service): DynamicModule {
    return {
      module: CoinPoolModule,
      imports: [
        PlatformModule.forRoot(service, config, {
          prepareRedis: prepareCoinStore,
          network: networkOfSponsors(readNetwork),
          ready: { inject: PoolState, indicator: poolIndicator },
        }),
        SignersModule.forRoot(config),
        PoolModule.forRoot(config),
        MessagesModule,
        UpkeepModule,
      ],
    };
  }
}
