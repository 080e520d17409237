import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Body, Controller, Get, Module, Post } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ReserveGasRequest } from '@forecourt/contracts';
import { LedgerUnreachable } from '@forecourt/ledger';
import { createApplication, createLogger } from '@forecourt/service-host';
import { Tokens } from '../authorization/tokens.js';
import { configureHttp, fastifyOptions } from '../configure-http.js';
import { readGatewayConfig } from '../gateway-config.js';
import { ReadBody } from './read-body.pipe.js';

@Controller()
class TestController {
  @Post('/v1/reserve_gas')
  reserve(
    @Body(new ReadBody(ReserveGasRequest, ['gas_budget', 'reserve_duration_secs']))
    body: ReserveGasRequest,
  ): ReserveGasRequest {
    return body;
  }

  @Get('/bug')
  bug(): never {
    throw new Error('a secret detail');
  }

  @Get('/unreachable')
  unreachable(): never {
    throw new LedgerUnreachable('connect ECONNREFUSED 10.0.0.1');
  }
}

@Module({ controllers: [TestController] })
class TestModule {}

let app: NestFastifyApplication;
const logged: { fields: Record<string, unknown>; text: string }[] = [];

beforeAll(async () => {
  const config = readGatewayConfig({ GAS_STATION_AUTH: 'token', BODY_LIMIT_BYTES: '1024' });
  const logger = createLogger('test', 'silent');
  const tokens = new Tokens(config.tokens, [], false);
  const record = (fields: Record<string, unknown>, text: string) => logged.push({ fields, text });
  app = await createApplication({
    ...{ name: 'test', module: TestModule, host: '', port: 0, logLevel: 'silent' },
    fastify: fastifyOptions(config),
    configure: (made) =>
      configureHttp(made, config, { ...logger, error: record, warn: record } as never, {
        tokens: () => tokens,
        countRequest: async () => null,
      }),
  });
  await app.listen(0, '127.0.0.1');
});
afterAll(() => app.close());

async function send(path: string, init: RequestInit = {}) {
  const response = await fetch(`${await app.getUrl()}${path}`, init);
  return { status: response.status, headers: response.headers, body: await response.json() };
}

const post = (body: string, headers: Record<string, string> = {}) =>
  send('/v1/reserve_gas', {
    method: 'POST',
    body,
    headers: { authorization: 'Bearer token', 'content-type': 'application/json', ...headers },
  });

describe('the public door', () => {
  it('reads a body as it came, without what nobody asked for', async () => {
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
    ['another type', 'gas_budget=5', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['a prototype in it', '{"__proto__":{"gas_budget":5},"gas_budget":5}', {}],
  ])('answers 400 with an error to %s', async (_what, body, headers) => {
    const answer = await post(body, headers);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ error: expect.any(String) });
  });

  it('answers 413 to a body that is too large', async () => {
    const { status, body } = await post(`{"pad":"${'x'.repeat(2_000)}"}`);
    expect([status, body]).toEqual([413, { error: expect.stringContaining('too large') }]);
  });

  it('answers 401 before it reads any of that', async () => {
    for (const body of ['{"broken', `{"pad":"${'x'.repeat(2_000)}"}`]) {
      const answer = await post(body, { authorization: 'Bearer wrong' });
      expect([answer.status, answer.body]).toEqual([401, { error: 'Invalid authorization token' }]);
    }
  });

  it('answers 404 to what is not there', async () => {
    const { status, body } = await send('/v2/anything');
    expect([status, body]).toEqual([404, { error: 'No such endpoint: GET /v2/anything' }]);
  });

  it('tells of a bug by an id that finds the line in the log, and nothing else', async () => {
    const { status, body } = await send('/bug');
    const { error } = body as { error: string };
    expect(status).toBe(500);
    expect(error).toMatch(/^Internal error [0-9a-f-]{36}$/);
    const line = logged.find(({ fields }) => error.endsWith(String(fields['id'])));
    expect(line?.fields['stack']).toContain('a secret detail');
  });

  it('answers 503 with Retry-After when the ledger is gone, and keeps the address to itself', async () => {
    const { status, headers, body } = await send('/unreachable');
    expect([status, headers.get('retry-after')]).toEqual([503, '1']);
    expect(JSON.stringify(body)).not.toContain('10.0.0.1');
  });

  it('gives every answer the id of its request', async () => {
    const chosen = await send('/bug', { headers: { 'x-request-id': 'abc-1' } });
    const made = await send('/bug', { headers: { 'x-request-id': 'not good\u00e9' } });
    expect(chosen.headers.get('x-request-id')).toBe('abc-1');
    expect(made.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });
});
