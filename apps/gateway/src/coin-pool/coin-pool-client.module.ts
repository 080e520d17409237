import { Module } from '@nestjs/common';
import { CoinPoolClient } from './coin-pool-client.js';
import { NetworkOfPools } from './network-of-pools.js';

/** The one client of the coin-pool's replicas. */
@Module({
  providers: [CoinPoolClient, NetworkOfPools],
  exports: [CoinPoolClient, NetworkOfPools],
})
export class CoinPoolClientModule {}
