import type { NestFastifyApplication } from '@nestjs/platform-fastify';

/** The Fastify under a Nest application. */
export type FastifyServer = ReturnType<
  ReturnType<NestFastifyApplication['getHttpAdapter']>['getInstance']
>;
