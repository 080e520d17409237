import 'reflect-metadata';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Body, Controller, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Public, Service, ServiceModule } from '@forecourt/runtime/service';
import { freePort } from '@forecourt/testing/redis';
import { readGatewayConfig } from '../gateway-config.js';
import { GatewayConfigModule } from '../gateway-config.module.js';
import { CompatibilityListener } from './compatibility-listener.js';
import { fastifyOptions } from '../http/fastify-options.js';

@Controller()
class TestController {
  @Post('/v1/reserve_gas')
  @Public()
  reserve(@Body() body: unknown): unknown {
    return { result: body };
  }
}

let app: NestFastifyApplication;
let service: Service;
let compatibilityPort: number;
let onArrived = (): void => undefined;

beforeEach(async () => {
  compatibilityPort = await freePort();
  const config = readGatewayConfig({
    GAS_STATION_AUTH: 'token',
    ALLOW_UNAUTHENTICATED_FLEET: 'true',
    GATEWAY_COMPATIBILITY_PORT: String(compatibilityPort),
  });
  service = new Service({ name: 'test', logLevel: 'silent' });
  app = await NestFactory.create<NestFastifyApplication>(
    {
      module: class TestModule {},
      imports: [ServiceModule.forRoot(service), GatewayConfigModule.forRoot(config)],
      controllers: [TestController],
      providers: [CompatibilityListener],
    },
    service.createAdapter(fastifyOptions(config), { metricsRoute: false }),
    service.nestOptions,
  );
  app.get(CompatibilityListener).attachTo(app);
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onRequest', async () => onArrived());
  await app.listen(0, '127.0.0.1');
});
afterEach(() => service.host.state.cutConnections());

/** A client that begins a request and never ends it, once the gateway has read what there is. */
async function stall(): Promise<Socket> {
  const arrived = new Promise<void>((resolve) => {
    onArrived = resolve;
  });
  const socket = connect(compatibilityPort, '127.0.0.1');
  await once(socket, 'connect');
  socket.resume();
  socket.write(
    'POST /v1/reserve_gas HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
  );
  await arrived;
  return socket;
}

describe('the compatibility listener', () => {
  it('answers what has been asked before it closes', async () => {
    const reservation = { gas_budget: 1, reserve_duration_secs: 1 };
    const response = await fetch(`http://127.0.0.1:${compatibilityPort}/v1/reserve_gas`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(reservation),
    });
    expect(await response.json()).toEqual({ result: reservation, error: null });
    await app.close();
    await expect(
      fetch(`http://127.0.0.1:${compatibilityPort}/`, { method: 'POST' }),
    ).rejects.toThrow();
  });

  it('does not keep the main listener open for a client that stalls, and is cut at its deadline', async () => {
    const socket = await stall();
    const main = app.getHttpServer();
    const mainClosed = once(main, 'close');
    const cut = once(socket, 'close');
    const closed = app.close();
    await mainClosed;
    expect(socket.destroyed).toBe(false);
    service.host.state.cutConnections();
    await Promise.all([closed, cut]);
  });
});
