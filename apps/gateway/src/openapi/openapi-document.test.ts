import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Body, Controller, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { ApiOkResponse, type OpenAPIObject } from '@nestjs/swagger';
import {
  DryRunTxRequest,
  ExecuteTxResponse,
  ReserveGasRequest,
  ReserveGasResponse,
} from '@forecourt/contracts/http';
import { readRpcRecording } from '@forecourt/ledger/recorded-node';
import { ErrorCodes, RequireRole } from '../access/route-declaration.js';
import { serveOpenapi } from './serve-openapi.js';

@Controller()
class StationController {
  @Post('/reserve')
  @RequireRole('sponsor')
  @ErrorCodes('NO_COINS')
  @ApiOkResponse({ description: 'Reserved.', type: ReserveGasResponse })
  reserve(@Body() body: ReserveGasRequest): ReserveGasRequest {
    return body;
  }

  @Post('/execute')
  @ApiOkResponse({ description: 'Executed.', type: ExecuteTxResponse })
  execute(): null {
    return null;
  }

  @Post('/dry-run')
  dryRun(@Body() body: DryRunTxRequest): DryRunTxRequest {
    return body;
  }
}

let app: NestFastifyApplication;
let document: OpenAPIObject;

beforeAll(async () => {
  class StationModule {}
  const module = { module: StationModule, controllers: [StationController] };
  app = await NestFactory.create<NestFastifyApplication>(module, new FastifyAdapter(), {
    logger: false,
  });
  serveOpenapi(app, { version: '1.0.0', publicUrl: '/' });
  await app.init();
  await app.getHttpAdapter().getInstance().ready();
  document = JSON.parse((await app.inject('/openapi.json')).payload) as OpenAPIObject;
});
afterAll(() => app.close());

describe('the OpenAPI document', () => {
  it('says how wide integers are, so that generated clients hold every id and amount', () => {
    const { ReserveGasRequest: request, ReservedCoins: result } = document.components!
      .schemas as Record<string, { readonly properties: Record<string, object> }>;
    expect(request!.properties['gas_budget']).toMatchObject({ format: 'int32' });
    expect(result!.properties['reservation_id']).toMatchObject({ format: 'int64' });
  });

  it('has the limits of the rules that validate a body', () => {
    expect(document.components?.schemas?.['ReserveGasRequest']).toMatchObject({
      type: 'object',
      required: ['gas_budget', 'reserve_duration_secs'],
      properties: {
        gas_budget: { type: 'integer', minimum: 1, maximum: 1_999_999_999 },
        reserve_duration_secs: { type: 'integer', minimum: 1, maximum: 600 },
        sponsor_address: {
          type: ['string', 'null'],
          minLength: 1,
          maxLength: 66,
          pattern: '^0x[0-9a-fA-F]{1,64}$',
        },
      },
    });
  });

  it('says that exactly one of two fields is given', () => {
    expect(document.components?.schemas?.['DryRunTxRequest']).toMatchObject({
      anyOf: [
        { required: ['kind_bytes'], properties: { tx_bytes: { type: 'null' } } },
        { required: ['tx_bytes'], properties: { kind_bytes: { type: 'null' } } },
      ],
    });
  });

  it('makes the example of a body of the examples of its fields', () => {
    const { post } = document.paths['/reserve']!;
    expect(post).toMatchObject({
      requestBody: {
        content: {
          'application/json': { example: { gas_budget: 10_000_000, reserve_duration_secs: 60 } },
        },
      },
      responses: {
        '200': { content: { 'application/json': { example: { result: { gas_coins: [{}] } } } } },
      },
    });
  });

  it('has the errors that a route declares, and those of its role and its body', () => {
    const { post } = document.paths['/reserve']!;
    expect(Object.keys(post!.responses)).toEqual(
      expect.arrayContaining(['200', '400', '401', '403', '413', '429', '500', '503']),
    );
    expect(post!.security).toEqual([{ bearer: [] }]);
  });
});

describe('the page of the API', () => {
  it('is served from memory, with an ETag', async () => {
    const first = await app.inject('/docs/swagger-ui.css');
    const { etag } = first.headers;
    expect([first.statusCode, first.headers['content-type']]).toEqual([
      200,
      'text/css; charset=utf-8',
    ]);
    const headers = { 'if-none-match': String(etag) };
    const again = await app.inject({ url: '/docs/swagger-ui.css', headers });
    expect([again.statusCode, again.payload]).toEqual([304, '']);
  });

  it('does not serve another file', async () => {
    for (const path of ['/docs/..%5c', '/docs/%00', '/docs/index.html']) {
      expect((await app.inject(path)).statusCode).toBe(404);
    }
  });
});

describe('the schema of effects', () => {
  it('has every field that a real node has shown, requires only what all effects have, and allows more', () => {
    const recorded = readRpcRecording().flatMap(({ answer }) => {
      const { effects } = (answer.result ?? {}) as { readonly effects?: object };
      return effects ? [Object.keys(effects)] : [];
    });
    expect(recorded.length).toBeGreaterThan(20);
    const fieldNames = [...new Set(recorded.flat())];
    const { properties, required, additionalProperties } = document.components!.schemas![
      'TransactionEffects'
    ] as { properties: object; required: string[]; additionalProperties: unknown };
    expect(Object.keys(properties).sort()).toEqual(fieldNames.sort());
    const always = fieldNames.filter((field) => recorded.every((fields) => fields.includes(field)));
    expect(always).toEqual(expect.arrayContaining(required));
    expect(additionalProperties).toBe(true);
  });
});
