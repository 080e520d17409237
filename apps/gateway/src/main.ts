import 'reflect-metadata';
import { startService } from '@forecourt/service-host';
import { configureHttp, fastifyOptions } from './configure-http.js';
import { readGatewayConfig } from './gateway-config.js';
import { GatewayModule } from './gateway.module.js';

await startService('gateway', readGatewayConfig, (config) => ({
  module: GatewayModule.with(config),
  host: config.host,
  port: config.port,
  logLevel: config.logLevel,
  fastify: fastifyOptions(config),
  configure: (app, logger) => configureHttp(app, config, logger),
}));
