import { type DynamicModule, Module } from '@nestjs/common';
import type { MessageClient } from '@forecourt/runtime/transport';
import type { GatewayConfig } from '../gateway-config.js';
import { CoinPoolClient } from './coin-pool-client.js';

/** The one client of the coin-pool, for every module of the gateway. */
@Module({})
export class CoinPoolClientModule {
  /** `local`: the coin-pool in this process, the only replica then. */
  static forRoot(config: GatewayConfig, local?: MessageClient): DynamicModule {
    const useFactory = () => new CoinPoolClient(config, local);
    return {
      module: CoinPoolClientModule,
      global: true,
      providers: [{ provide: CoinPoolClient, useFactory }],
      exports: [CoinPoolClient],
    };
  }
}
