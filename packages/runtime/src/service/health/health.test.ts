import 'reflect-metadata';
import { afterEach, describe, expect, it } from '@jest/globals';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Service } from '../service.js';
import { ServiceModule } from '../service.module.js';
import type { ServiceState } from '../service-state.js';
import { HealthModule } from './health.module.js';
import { type HealthIndicators, ledgerIndicator } from './indicator.js';

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
  return service.state;
}

const probe = async (path: string) => {
  const response = await fetch(`${await app.getUrl()}/health/${path}`);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

const gone = () => Promise.reject(new Error('gone'));
const silent = () => new Promise<never>(() => undefined);

describe('readiness', () => {
  it('is on whatever becomes of the dependencies, which are not even asked', async () => {
    let asked = 0;
    const check = () => {
      asked += 1;
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
    expect(asked).toBe(0);
  });

  it('is off while the replica lacks what it needs to answer, which is named', async () => {
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

  it('is off while the service is stopping', async () => {
    const state = await startWith({});
    expect((await probe('ready')).status).toBe(200);
    state.stop();
    expect((await probe('ready')).status).toBe(503);
    expect((await probe('live')).status).toBe(200);
  });
});

describe('the check of dependencies', () => {
  it('shows the details of those that answer', async () => {
    const ledger = ledgerIndicator({
      chainIdentifier: async () => 'a1b2c3d4',
      status: async () => ({ epoch: 7n }),
    });
    await startWith({ dependencies: [ledger] });
    const { status, body } = await probe('dependencies');
    expect(status).toBe(200);
    expect(body['details']).toMatchObject({ ledger: { status: 'up', epoch: '7' } });
  });

  it('answers 503 and names those that fail, or do not answer in time', async () => {
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

  it('asks each of them once, however many ask at once and again', async () => {
    let asked = 0;
    const answer = Promise.withResolvers<void>();
    const check = () => {
      asked += 1;
      return answer.promise;
    };
    await startWith({ dependencies: [{ name: 'ledger', check }] });
    const probes = Array.from({ length: 50 }, () => probe('dependencies'));
    answer.resolve();
    for (const { status } of await Promise.all(probes)) expect(status).toBe(200);
    expect((await probe('dependencies')).status).toBe(200);
    expect(asked).toBe(1);
  });

  it('asks one that fails no more often than one that answers', async () => {
    let asked = 0;
    const check = () => {
      asked += 1;
      return gone();
    };
    await startWith({ dependencies: [{ name: 'ledger', check }] });
    for (let i = 0; i < 5; i++) expect((await probe('dependencies')).status).toBe(503);
    expect(asked).toBe(1);
  });
});
