import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { runService } from '@forecourt/runtime/service';
import { readExecutorConfig } from './executor-config.js';
import { ExecutorModule } from './executor.module.js';

await runService('executor', readExecutorConfig, async (service, config) => {
  const app = await NestFactory.create<NestFastifyApplication>(
    ExecutorModule.forRoot(config, service),
    service.createAdapter(),
    service.nestOptions,
  );
  await service.listen(app, { host: config.host, port: config.healthPort });
});
