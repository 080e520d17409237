import 'reflect-metadata';
import { afterEach, describe, expect, it } from '@jest/globals';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Service } from '../service.js';
import { ServiceModule } from '../service.module.js';
import type { ServiceState } from '../service-state.js';
import { HealthModule } from './health.module.js';
import { type Indicator, ledgerIndicator } from './indicator.js';

let app: NestFastifyApplication;
afterEach(() => app.close());

async function startWith(...needed: Indicator[]): Promise<ServiceState> {
  const service = new Service({ name: 'test', logLevel: 'error' });
  const health = HealthModule.with({ ready: () => needed });
  class TestModule {}
  app = await NestFactory.create<NestFastifyApplication>(
    { module: TestModule, imports: [ServiceModule.forRoot(service), health] },
    service.createAdapter(),
    service.nestOptions,
  );
  await app.listen(0, '127.0.0.1');
  return service.state;
}

const probe = async (path: string) => {
  const response = await fetch(`${await app.getUrl()}/health/${path}`);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

describe('probes', () => {
  it('a service is ready when all its dependencies answer, and shows their details', async () => {
    await startWith(
      ledgerIndicator({
        chainIdentifier: async () => 'a1b2c3d4',
        status: async () => ({ epoch: 7n }),
      }),
    );
    expect((await probe('live')).status).toBe(200);
    const { status, body } = await probe('ready');
    expect(status).toBe(200);
    expect(body['details']).toMatchObject({ ledger: { status: 'up', epoch: '7' } });
  });

  it('a service is live but not ready when a dependency fails, which is named', async () => {
    await startWith({ name: 'redis', check: () => Promise.reject(new Error('gone')) });
    expect((await probe('live')).status).toBe(200);
    const { status, body } = await probe('ready');
    expect(status).toBe(503);
    expect(body['error']).toMatchObject({ redis: { status: 'down' } });
  });

  it('a service is not ready when a dependency does not answer in time', async () => {
    await startWith({ name: 'ledger', check: () => new Promise(() => undefined) });
    expect((await probe('ready')).status).toBe(503);
  });

  it('a service is not ready while it is stopping', async () => {
    const state = await startWith();
    expect((await probe('ready')).status).toBe(200);
    state.stop();
    expect((await probe('ready')).status).toBe(503);
    expect((await probe('live')).status).toBe(200);
  });
});
