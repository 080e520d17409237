import { Module } from '@nestjs/common';
import { CoinPoolClient } from './coin-pool-client.js';

/** The one client of the coin-pool's replicas. */
@Module({ providers: [CoinPoolClient], exports: [CoinPoolClient] })
export class CoinPoolClientModule {}
