import 'reflect-metadata';
import { REDIS, startService } from '@forecourt/runtime/service';
import type { RedisConnection } from '@forecourt/runtime/redis';
import { AccessController } from './access/access-controller.js';
import { RateLimits } from './authorization/rate-limits.js';
import { configureHttp, fastifyOptions } from './configure-http.js';
import { readGatewayConfig } from './gateway-config.js';
import { readVersion } from './service-info/read-version.js';
import { serveOpenapi } from './openapi/serve-openapi.js';
import { GatewayModule } from './gateway.module.js';

await startService('gateway', readGatewayConfig, async (config, metrics) => ({
  module: await GatewayModule.with(config, metrics),
  host: config.host,
  port: config.port,
  metricsPort: config.metricsPort,
  logLevel: config.logLevel,
  drainMs: config.drainMs,
  tracing: { endpoint: config.traceEndpoint, sampleRatio: config.traceSampleRatio },
  fastify: fastifyOptions(config),
  configure: (app, logger) => {
    const rateLimits = new RateLimits(app.get<RedisConnection>(REDIS));
    configureHttp(app, config, logger, {
      tokens: () => app.get(AccessController).tokens,
      countRequest: (caller) => rateLimits.count(caller),
    });
    serveOpenapi(app, readVersion(config.buildCommit));
  },
}));
