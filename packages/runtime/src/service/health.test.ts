import { afterEach, describe, expect, it } from '@jest/globals';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import 'reflect-metadata';
import { Service } from './service.js';
import { ServiceModule } from './service.module.js';
import { type HealthIndicators, HealthModule, ledgerIndicator } from './health.module.js';
import type { ServiceState } from './service-state.js';

let app: NestFastifyApplication;
afterEach(() => app.close());

async function startWith(indicators: Partial<HealthIndicators>): Promise<ServiceState> {
  const service = new Service({ name: 'test', logLevel: 'error' });
  const health = HealthModule.with({
    indicators: () => ({ replica: [], dependencies: [], ...indicators }),
  });
  class TestModule {}
  app = await NestFactory.create<NestFastifyApplication>(
    { module: TestModule, imports: [ServiceModule.forRoot(service), health] },
    service.createAdapter(),
    service.nestOptions,
  );
  await app.listen(0, '127.0.0.1');
  return service.host.state;
}

const probe = async (path: string) => {
  const response = await fetch(`${await app.getUrl()}/health/${path}`);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

const gone = () => Promise.reject(new Error('gone'));
const silent = () => new Promise<never>(() => undefined);

describe('the readiness probe', () => {
  it('succeeds without checking the dependencies', async () => {
    let calls = 0;
    const check = () => {
      calls += 1;
      return silent();
    };
    await startWith({
      dependencies: [
        { name: 'redis', check: gone },
        { name: 'ledger', check },
      ],
    });
    const { status, body } = await probe('ready');
    expect([status, body['details']]).toEqual([200, { process: { status: 'up' } }]);
    expect(calls).toBe(0);
  });

  it('fails and names the missing precondition of the replica', async () => {
    let isOpen = false;
    const check = () => (isOpen ? Promise.resolve() : Promise.reject(new Error('not initialized')));
    await startWith({ replica: [{ name: 'pool', check }] });
    const { status, body } = await probe('ready');
    expect(status).toBe(503);
    expect(body['error']).toMatchObject({ pool: { status: 'down', message: 'not initialized' } });
    expect((await probe('live')).status).toBe(200);
    isOpen = true;
    expect((await probe('ready')).status).toBe(200);
  });

  it('fails while the service is stopping', async () => {
    const state = await startWith({});
    expect((await probe('ready')).status).toBe(200);
    state.stop();
    expect((await probe('ready')).status).toBe(503);
    expect((await probe('live')).status).toBe(200);
  });
});

describe('the dependencies probe', () => {
  it('shows the details of dependencies that answer', async () => {
    const ledger = ledgerIndicator({
      chainIdentifier: async () => 'a1b2c3d4',
      status: async () => ({ epoch: 7n }),
    });
    await startWith({ dependencies: [ledger] });
    const { status, body } = await probe('dependencies');
    expect(status).toBe(200);
    expect(body['details']).toMatchObject({ ledger: { status: 'up', epoch: '7' } });
  });

  it('returns 503 and names dependencies that fail or do not answer in time', async () => {
    await startWith({
      dependencies: [
        { name: 'redis', check: gone },
        { name: 'ledger', check: silent },
        { name: 'queue', check: async () => ({ wait: 3 }) },
      ],
    });
    const { status, body } = await probe('dependencies');
    expect(status).toBe(503);
    expect(body['error']).toMatchObject({
      redis: { status: 'down', message: 'gone' },
      ledger: { status: 'down', message: expect.stringContaining('timeout') },
    });
    expect(body['details']).toMatchObject({ queue: { status: 'up', wait: 3 } });
  });

  it('checks each dependency once for any number of simultaneous requests', async () => {
    let calls = 0;
    const answer = Promise.withResolvers<void>();
    const check = () => {
      calls += 1;
      return answer.promise;
    };
    await startWith({ dependencies: [{ name: 'ledger', check }] });
    const probes = Array.from({ length: 50 }, () => probe('dependencies'));
    answer.resolve();
    for (const { status } of await Promise.all(probes)) expect(status).toBe(200);
    expect((await probe('dependencies')).status).toBe(200);
    expect(calls).toBe(1);
  });

  it('checks a failing dependency as rarely as a healthy one', async () => {
    let calls = 0;
    const check = () => {
      calls += 1;
      return gone();
    };
    await startWith({ dependencies: [{ name: 'ledger', check }] });
    for (let i = 0; i < 5; i++) expect((await probe('dependencies')).status).toBe(503);
    expect(calls).toBe(1);
  });
});
