import { Module } from '@nestjs/common';
import { ReplicaIdentity } from '@forecourt/runtime/service';
import { CoinPoolClientModule } from '../coin-pool/coin-pool-client.module.js';
import { ServiceInfoController } from './service-info.controller.js';
import { SERVICE_VERSION } from './service-version.token.js';

/** Health and version. */
@Module({
  imports: [CoinPoolClientModule],
  controllers: [ServiceInfoController],
  providers: [
    {
      provide: SERVICE_VERSION,
      inject: [ReplicaIdentity],
      useFactory: ({ version }: ReplicaIdentity) => version,
    },
  ],
})
export class ServiceInfoModule {}
