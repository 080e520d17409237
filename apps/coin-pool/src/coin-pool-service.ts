import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Environment } from '@forecourt/runtime/config';
import { ClaimJobs, type LocalWorker } from '@forecourt/runtime/queue';
import { defineService, type ServiceDefinition } from '@forecourt/runtime/service';
import { createMessageServer, type DirectServer } from '@forecourt/runtime/transport';
import { readCoinPoolConfig } from './coin-pool-config.js';
import { CoinPoolModule } from './coin-pool.module.js';
import { MessagesInFlight } from './messages/messages-in-flight.js';

/**
 * The coin-pool. `messages`: how messages arrive; by default over TCP. `worker`: that of the same process, if
 * there is one.
 */
export function coinPoolService(
  environment?: Environment,
  messages?: DirectServer,
  worker?: LocalWorker,
): ServiceDefinition {
  const read = () => readCoinPoolConfig(environment);
  return defineService('coin-pool', read, async (service, config) => {
    const { host, port, healthPort, fleetSecrets } = config;
    const app = await NestFactory.create<NestFastifyApplication>(
      CoinPoolModule.forRoot(config, service),
      service.createAdapter(),
      service.nestOptions,
    );
    const strategy = messages ?? createMessageServer({ host, port, fleetSecrets });
    app.get(MessagesInFlight).attachTo(strategy);
    app.get(ClaimJobs).worker = worker;
    app.connectMicroservice({ strategy }, { inheritAppConfig: true });
    return { app, host, port: healthPort };
  });
}
