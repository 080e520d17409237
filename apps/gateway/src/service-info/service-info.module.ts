import { Module } from '@nestjs/common';
import { CoinPoolClientModule } from '../coin-pool/coin-pool-client.module.js';
import type { GatewayConfig } from '../gateway-config.js';
import { GATEWAY_CONFIG } from '../gateway-config.module.js';
import { readVersion } from './read-version.js';
import { ServiceInfoController } from './service-info.controller.js';
import { SERVICE_VERSION } from './service-version.token.js';

/** Health and version. */
@Module({
  imports: [CoinPoolClientModule],
  controllers: [ServiceInfoController],
  providers: [
    {
      provide: SERVICE_VERSION,
      inject: [GATEWAY_CONFIG],
      useFactory: ({ buildCommit }: GatewayConfig) => readVersion(buildCommit),
    },
  ],
})
export class ServiceInfoModule {}
