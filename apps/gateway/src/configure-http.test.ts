import 'reflect-metadata';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Body, Controller, Get, Post, ServiceUnavailableException } from '@nestjs/common';
import { APP_FILTER, NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { MAX_RESERVATION_BODY } from '@forecourt/contracts';
import { ReserveGasRequest } from '@forecourt/contracts/http';
import { LedgerUnreachable } from '@forecourt/ledger';
import { MostBodyBytes, Public, Service, ServiceModule } from '@forecourt/runtime/service';
import { Tokens } from '@forecourt/policy/tokens';
import { AccessPolicy } from './access/access-policy.js';
import { RequestAdmission } from './access/request-admission.js';
import { RequireRole } from './access/route-declaration.js';
import { CompatibilityListener } from './compatibility/compatibility-listener.js';
import { configureHttp } from './configure-http.js';
import { readGatewayConfig } from './gateway-config.js';
import { GatewayConfigModule } from './gateway-config.module.js';
import { EventsProxy } from './events-proxy/events-proxy.js';
import { Pauses } from './access/pauses.js';
import { RefusalRecorder } from './refusals/refusal-recorder.js';
import { RefusalStream } from './refusals/refusal-stream.js';
import { RateLimits } from './access/rate-limits.js';
import { RequestAuthorization } from './access/request-authorization.js';
import { ErrorAnswerFilter } from './http/error-answer-filter.js';
import { UnansweredRequests } from './http/unanswered-requests.js';
import { fastifyOptions } from './http/fastify-options.js';

@Controller()
class TestController {
  @Post('/v1/reserve_gas')
  @RequireRole('sponsor')
  @MostBodyBytes(MAX_RESERVATION_BODY)
  reserve(@Body() body: ReserveGasRequest): ReserveGasRequest {
    return body;
  }

  @Post('/touch')
  @Public()
  touch(): string {
    return '"touched"';
  }

  @Get('/bug')
  @Public()
  bug(): never {
    throw new Error('a secret detail');
  }

  @Get('/unreachable')
  @Public()
  unreachable(): never {
    throw new LedgerUnreachable('connect ECONNREFUSED 10.0.0.1');
  }

  @Get('/health/ready')
  @Public()
  ready(): never {
    const redis = { status: 'down', message: 'connect ECONNREFUSED 10.0.0.1' };
    throw new ServiceUnavailableException({
      status: 'error',
      error: { redis },
      details: { redis },
    });
  }
}

let app: NestFastifyApplication;
let onArrived = (): void => undefined;
let onAnswered = (): void => undefined;
const logged: { fields: Record<string, unknown>; text: string }[] = [];

beforeAll(async () => {
  const environment = {
    GAS_STATION_AUTH: 'token',
    ALLOW_UNAUTHENTICATED_FLEET: 'true',
  };
  const shortened = { requestTimeoutMs: 400 };
  const config = { ...readGatewayConfig(environment), ...shortened };
  const service = new Service({ name: 'test', logLevel: 'silent' });
  const record = (fields: Record<string, unknown>, text: string) => logged.push({ fields, text });
  const logger = { ...service.logger, info: () => undefined, error: record, warn: record };
  const tokens = new Tokens(config.tokens, [], false);
  app = await NestFactory.create<NestFastifyApplication>(
    {
      module: class TestModule {},
      imports: [
        ServiceModule.forRoot(Object.assign(service, { logger })),
        GatewayConfigModule.forRoot(config),
      ],
      controllers: [TestController],
      providers: [
        CompatibilityListener,
        EventsProxy,
        RequestAdmission,
        RefusalRecorder,
        RequestAuthorization,
        UnansweredRequests,
        { provide: RefusalStream, useValue: { add: () => undefined } },
        { provide: AccessPolicy, useValue: { tokens } },
        { provide: APP_FILTER, useClass: ErrorAnswerFilter },
        { provide: RateLimits, useValue: { count: async () => null } },
        { provide: Pauses, useValue: { requireRunning: () => undefined } },
      ],
    },
    service.createAdapter(fastifyOptions(config), { metricsRoute: false }),
    service.nestOptions,
  );
  configureHttp(app);
  const server = app.getHttpAdapter().getInstance();
  server.addHook('preParsing', async () => onArrived());
  server.addHook('onSend', async () => onAnswered());
  await app.listen(0, '127.0.0.1');
});
afterAll(() => app.close());

async function send(path: string, init: RequestInit = {}) {
  const response = await fetch(`${await app.getUrl()}${path}`, init);
  return { status: response.status, headers: response.headers, body: await response.json() };
}

const JSON_OF_CALLER = 'Authorization: Bearer token\r\nContent-Type: application/json\r\n';

/** Everything that comes back until the connection is closed. */
async function sendRaw(text: string): Promise<string> {
  const { hostname, port } = new URL(await app.getUrl());
  const socket = connect(Number(port), hostname);
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
  socket.on('error', () => undefined);
  socket.write(text);
  await once(socket, 'close');
  return answer;
}

const post = (body: string, headers: Record<string, string> = {}) =>
  send('/v1/reserve_gas', {
    method: 'POST',
    body,
    headers: { authorization: 'Bearer token', 'content-type': 'application/json', ...headers },
  });

describe('the public HTTP endpoint', () => {
  it('passes known body fields to the handler and drops unknown ones', async () => {
    const { status, body } = await post(
      '{"gas_budget":5,"reserve_duration_secs":6,"admin":true,"constructor":{}}',
    );
    expect([status, body]).toEqual([201, { gas_budget: 5, reserve_duration_secs: 6 }]);
  });

  it.each([
    ['malformed JSON', '{"gas_budget":', {}],
    ['no body', '', {}],
    ['a list', '[]', {}],
    ['a text', '"x"', {}],
    [
      'another content type',
      'gas_budget=5',
      { 'content-type': 'application/x-www-form-urlencoded' },
    ],
    ['a __proto__ field', '{"__proto__":{"gas_budget":5},"gas_budget":5}', {}],
  ])('answers 400 with an error to %s', async (_what, body, headers) => {
    const answer = await post(body, headers);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ error: expect.any(String) });
  });

  it.each([
    ['no body', 'Content-Type: application/json\r\n\r\n'],
    ['a body of no bytes', 'Content-Type: application/json\r\nContent-Length: 0\r\n\r\n'],
    [
      'a body of no chunks',
      'Content-Type: application/json; charset=utf-8\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['an invalid content type and no body', 'Content-Type: json\r\n\r\n'],
    ['a body of another type', 'Content-Type: application/xml\r\nContent-Length: 4\r\n\r\n<a/>'],
  ])('answers 201 on a route that needs no body: %s', async (_what, rest) => {
    const answer = await sendRaw(`POST /touch HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${rest}`);
    expect(answer).toMatch(/^HTTP\/1.1 201 [^]*"touched"$/);
  });

  it.each(['application/json', 'application/xml', 'text/plain'])(
    'names an unknown path although its request has the content type %s and no body',
    async (type) => {
      const answer = await send('/v1/nowhere', {
        method: 'POST',
        headers: { 'content-type': type },
      });
      expect([answer.status, answer.body]).toEqual([404, expect.anything()]);
    },
  );

  it('answers 413 to a body that is too large', async () => {
    const { status, body } = await post(`{"pad":"${'x'.repeat(2_000)}"}`);
    expect([status, body]).toEqual([413, { error: expect.stringContaining('too large') }]);
  });

  it('answers 413 to a large body for a path that does not exist, which needs no token', async () => {
    const body = '['.repeat(100_000);
    const headers = { 'content-type': 'application/json' };
    expect((await send('/nowhere', { method: 'POST', body, headers })).status).toBe(413);
  });

  it('answers 401 to a wrong token before it reads the body', async () => {
    for (const body of ['{"broken', `{"pad":"${'x'.repeat(2_000)}"}`]) {
      const answer = await post(body, { authorization: 'Bearer wrong' });
      expect([answer.status, answer.body]).toEqual([401, { error: 'Invalid authorization token' }]);
    }
  });

  it('answers 404 to an unknown path', async () => {
    const { status, body } = await send('/v2/anything');
    expect([status, body]).toEqual([404, { error: 'No such route: GET /v2/anything' }]);
  });

  it('answers an unexpected error with nothing but an id that is also in the log', async () => {
    const { status, body } = await send('/bug');
    const { error } = body as { error: string };
    expect(status).toBe(500);
    expect(error).toMatch(/^Internal error [0-9a-f-]{36}$/);
    const line = logged.find(({ fields }) => error.endsWith(String(fields['id'])));
    expect(line?.fields['stack']).toContain('a secret detail');
  });

  it('answers 503 with Retry-After when the ledger is unreachable, without its address', async () => {
    const { status, headers, body } = await send('/unreachable');
    expect([status, headers.get('retry-after')]).toEqual([503, '1']);
    expect(JSON.stringify(body)).not.toContain('10.0.0.1');
  });

  it('answers 503 to a probe, names what is down, and logs no error', async () => {
    const before = logged.length;
    const { status, body } = await send('/health/ready');
    expect([status, body]).toEqual([503, { error: 'Not ready: redis' }]);
    expect(logged.length).toBe(before);
  });

  it('returns the request id in every response', async () => {
    const chosen = await send('/bug', { headers: { 'x-request-id': 'abc-1' } });
    const made = await send('/bug', { headers: { 'x-request-id': 'not good\u00e9' } });
    expect(chosen.headers.get('x-request-id')).toBe('abc-1');
    expect(made.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each([
    [
      'an invalid percent-escape in the path',
      400,
      'GET /%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    ],
    ['a missing Host header', 400, 'GET /bug HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['invalid HTTP', 400, 'G\0T / HTTP/1.1\r\nHost: x\r\n\r\n'],
    [
      'an incomplete body',
      408,
      `POST /v1/reserve_gas HTTP/1.1\r\nHost: x\r\n${JSON_OF_CALLER}Content-Length: 9\r\n\r\n{`,
    ],
    ['incomplete headers', 408, 'POST /bug HTTP/1.1\r\nHost: x\r\n'],
    ['too large headers', 431, `GET / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`],
    ['an unsupported Expect header', 417, 'GET / HTTP/1.1\r\nHost: x\r\nExpect: gold\r\n\r\n'],
    [
      'a WebSocket at another path',
      404,
      'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n',
    ],
  ])('answers %s with %i and an error, and closes the connection', async (_what, status, text) => {
    const before = logged.length;
    const answer = await sendRaw(text);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))) as unknown;
    expect(body).toEqual({ error: expect.stringMatching(/^.{10}/) });
    expect(logged.length).toBe(before);
  });

  it('logs no unexpected error when a client disconnects in the middle of a body', async () => {
    const before = logged.length;
    const socket = connect(Number(new URL(await app.getUrl()).port), '127.0.0.1');
    const head = 'POST /v1/reserve_gas HTTP/1.1\r\nHost: x\r\n';
    socket.write(`${head}${JSON_OF_CALLER}Content-Length: 900\r\n\r\n{`);
    const answered = new Promise<void>((resolve) => (onAnswered = resolve));
    await new Promise<void>((resolve) => (onArrived = resolve));
    socket.destroy();
    await answered;
    expect(logged.slice(before).map(({ text }) => text)).not.toContain('unexpected error');
  });
});
