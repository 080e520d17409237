import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { defineService, type ServiceDefinition } from '@forecourt/runtime/service';
import { readExecutorConfig } from './executor-config.js';
import { ExecutorModule } from './executor.module.js';

export function executorService(): ServiceDefinition {
  return defineService('executor', readExecutorConfig, async (service, config) => {
    const app = await NestFactory.create<NestFastifyApplication>(
      ExecutorModule.forRoot(config, service),
      service.createAdapter(),
      service.nestOptions,
    );
    return { app, host: config.host, port: config.healthPort };
  });
}
