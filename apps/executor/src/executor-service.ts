import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { LocalWorker } from '@forecourt/runtime/queue';
import { defineService, type ServiceDefinition } from '@forecourt/runtime/service';
import { readExecutorConfig } from './executor-config.js';
import { ExecutorModule } from './executor.module.js';
import { WorkerSupervisor } from './executions/worker-supervisor.js';

/** The executor. `local`: how coin-pools of the same process reach its worker. */
export function executorService(local?: LocalWorker): ServiceDefinition {
  return defineService('executor', readExecutorConfig, async (service, config) => {
    const app = await NestFactory.create<NestFastifyApplication>(
      ExecutorModule.forRoot(config, service),
      service.createAdapter(),
      service.nestOptions,
    );
    app.get(WorkerSupervisor).local = local;
    return { app, host: config.host, port: config.healthPort };
  });
}
