import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Environment } from '@forecourt/runtime/config';
import type { MessageClient } from '@forecourt/runtime/transport';
import { defineService, type ServiceDefinition } from '@forecourt/runtime/service';
import { configureHttp } from './configure-http.js';
import { RPC_PATH } from './events-proxy/forward-rpc.js';
import { readGatewayConfig } from './gateway-config.js';
import { GatewayModule } from './gateway.module.js';
import { fastifyOptions } from './http/fastify-options.js';
import { chargedToCallers } from './charged-to-callers.js';

/**
 * The gateway. `coinPool` and `history`: these services in this process, instead of those that the
 * environment names.
 */
export function gatewayService(
  environment?: Environment,
  coinPool?: MessageClient,
  history?: MessageClient,
): ServiceDefinition {
  const read = () => readGatewayConfig(environment);
  return defineService('gateway', read, async (service, config) => {
    const { host, port, metricsPort } = config;
    const app = await NestFactory.create<NestFastifyApplication>(
      GatewayModule.forRoot(config, service, { coinPool, history }),
      service.createAdapter(fastifyOptions(config), {
        metricsRoute: false,
        bodies: chargedToCallers(config),
        webSocketPath: RPC_PATH,
      }),
      service.nestOptions,
    );
    configureHttp(app);
    return { app, host, port, metricsPort };
  });
}
