import { type DynamicModule, Module } from '@nestjs/common';
import type { ClientProxy } from '@nestjs/microservices';
import { replicaInProcess } from '../replicas/service-replicas.js';
import { CoinPoolClient } from './coin-pool-client.js';
import { CoinPoolReplicas, type CoinPoolSettings } from './coin-pool-replicas.js';

/** The one client of the coin-pool, for every module of the gateway. */
@Module({})
export class CoinPoolClientModule {
  /** `local`: the client of the coin-pool in this process, the only replica then. */
  static forRoot(config: CoinPoolSettings, local?: ClientProxy): DynamicModule {
    const useFactory = () =>
      local ? new CoinPoolReplicas(replicaInProcess(local), config) : CoinPoolReplicas.at(config);
    return {
      module: CoinPoolClientModule,
      global: true,
      providers: [{ provide: CoinPoolReplicas, useFactory }, CoinPoolClient],
      exports: [CoinPoolClient],
    };
  }
}
