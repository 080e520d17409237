import 'reflect-metadata';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Metrics } from '../../metrics/index.js';
import { Module } from '@nestjs/common';
import { createLogger } from '../logger.js';
import { createApplication } from '../run-service.js';
import { listenForMetrics } from './serve-metrics.js';

@Module({})
class EmptyModule {}

describe('serving metrics', () => {
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  async function start(metrics: Metrics, metricsPort?: number): Promise<string> {
    const service = { name: 'test', host: '127.0.0.1', port: 0, logLevel: 'error', metrics };
    const options = { ...service, module: EmptyModule, metricsPort };
    const app = await createApplication(options, createLogger('test', 'error'));
    await app.listen(0, '127.0.0.1');
    closing.push(() => app.close());
    return app.getUrl();
  }

  it('stands beside the probes and counts requests by route, not by path', async () => {
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

  it('is not at the door of a service that has a port of its own for it', async () => {
    const metrics = new Metrics();
    const url = await start(metrics, 0);
    const listener = await listenForMetrics(metrics, { host: '127.0.0.1', port: 0 });
    closing.push(() => listener.close());
    expect((await fetch(`${url}/metrics`)).status).toBe(404);
    expect((await fetch(listener.url)).status).toBe(200);
    expect((await fetch(listener.url, { method: 'POST' })).status).toBe(404);
    expect((await fetch(listener.url.replace('/metrics', '/'))).status).toBe(404);
  });
});
