import 'reflect-metadata';
import { startService } from '@forecourt/runtime/service';
import { readExecutorConfig } from './executor-config.js';
import { ExecutorModule } from './executor.module.js';

await startService('executor', readExecutorConfig, (config) => ({
  module: ExecutorModule.forRoot(config),
  host: config.host,
  port: config.healthPort,
  logLevel: config.logLevel,
  tracing: { endpoint: config.traceEndpoint, sampleRatio: config.traceSampleRatio },
}));
