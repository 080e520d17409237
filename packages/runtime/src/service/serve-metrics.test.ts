import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import 'reflect-metadata';
import { Metrics } from '../metrics/index.js';
import { Service } from './service.js';
import { listenForMetrics } from './serve-metrics.js';

@Controller()
class Routes {
  @Get('page')
  readPage(): string {
    return 'page';
  }
}

@Module({ controllers: [Routes] })
class RoutesModule {}

describe('serving metrics', () => {
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  async function start(metrics: Metrics, metricsRoute = true): Promise<string> {
    const service = new Service({ name: 'test', logLevel: 'error', metrics });
    const app = await NestFactory.create<NestFastifyApplication>(
      RoutesModule,
      service.createAdapter({}, { metricsRoute }),
      service.nestOptions,
    );
    await app.listen(0, '127.0.0.1');
    closing.push(() => app.close());
    return app.getUrl();
  }

  it('serves metrics beside the probes and count requests by route, not by path', async () => {
    const url = await start(Metrics.ofProcess('test'));
    await fetch(`${url}/no/such/path`);
    const response = await fetch(`${url}/metrics`);
    expect(response.headers.get('content-type')).toContain('text/plain; version=0.0.4');
    const text = await response.text();
    expect(text).toContain('forecourt_service_info{service="test"} 1');
    expect(text).toContain('forecourt_nodejs_eventloop_lag_seconds');
    expect(text).toContain(
      'forecourt_http_requests_total{method="GET",route="none",status="404"} 1',
    );
  });

  it('times requests by route', async () => {
    const url = await start(new Metrics());
    await (await fetch(`${url}/page`)).text();
    const text = await (await fetch(`${url}/metrics`)).text();
    const timed = text.match(/^forecourt_http_request_duration_seconds_count.*/gm);
    expect(timed).toEqual([expect.stringContaining('route="/page"')]);
  });

  it('serves no metrics on the public port of a service with a metrics port', async () => {
    const metrics = new Metrics();
    const url = await start(metrics, false);
    const listener = await listenForMetrics(metrics, { host: '127.0.0.1', port: 0 });
    closing.push(() => listener.close());
    expect((await fetch(`${url}/metrics`)).status).toBe(404);
    expect((await fetch(listener.url)).status).toBe(200);
    expect((await fetch(listener.url, { method: 'POST' })).status).toBe(404);
    expect((await fetch(listener.url.replace('/metrics', '/'))).status).toBe(404);
  });
});
