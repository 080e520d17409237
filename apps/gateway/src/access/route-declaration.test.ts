import 'reflect-metadata';
import { afterEach, describe, expect, it } from '@jest/globals';
import { partial } from '@forecourt/testing/jest';
import { Controller, Get, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type Caller, CONFIGURED_CALLER, Tokens } from '@forecourt/policy/tokens';
import { Public, Service } from '@forecourt/runtime/service';
import { requireDeclaredRoutes, RequireRole } from './route-declaration.js';
import { RequestAuthorization } from './request-authorization.js';

@Controller()
class UndeclaredController {
  @Get('/undeclared')
  answer(): string {
    return 'served';
  }
}

@Controller()
class DeclaredController {
  @Get('/public')
  @Public()
  answer(): string {
    return 'served';
  }

  @Get('/operator')
  @RequireRole('operator')
  operate(): string {
    return 'served';
  }

  @Get('/sponsor')
  @RequireRole('sponsor')
  sponsor(): string {
    return 'served';
  }
}

class TestModule {}

let app: NestFastifyApplication;
afterEach(() => app.close());

async function create(...controllers: Type[]): Promise<NestFastifyApplication> {
  const service = new Service({ name: 'test', logLevel: 'silent' });
  app = await NestFactory.create<NestFastifyApplication>(
    { module: TestModule, controllers },
    service.createAdapter({}, { metricsRoute: false }),
    service.nestOptions,
  );
  return app;
}

const SPONSOR: Caller = { ...CONFIGURED_CALLER, name: 'shop', roles: new Set(['sponsor']) };

/** Only `Bearer shop` is valid, and is a sponsor. */
async function serve(): Promise<(path: string, token?: string) => Promise<[number, string]>> {
  await create(UndeclaredController, DeclaredController);
  const tokens = new Tokens([], [], false);
  tokens.identify = async (header) =>
    header === 'Bearer shop' ? { caller: SPONSOR } : { challenge: 'Bearer' };
  const server = app.getHttpAdapter().getInstance();
  new RequestAuthorization(partial({ tokens }), partial({ count: async () => null })).attachTo(
    server,
  );
  await app.init();
  return async (url, token) => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const { statusCode, body } = await server.inject({ url, headers });
    return [statusCode, body];
  };
}

describe('route declarations', () => {
  it('stop the start of the service if a route lacks one, and name the route', async () => {
    await create(UndeclaredController, DeclaredController);
    requireDeclaredRoutes(app.getHttpAdapter().getInstance());
    await expect(app.listen(0, '127.0.0.1')).rejects.toThrow(
      /without declared access: GET \/undeclared, HEAD \/undeclared\. Mark .*@RequireRole/,
    );
  });

  it('let the service start when every route has one', async () => {
    await create(DeclaredController);
    requireDeclaredRoutes(app.getHttpAdapter().getInstance());
    await app.listen(0, '127.0.0.1');
    expect((await fetch(`${await app.getUrl()}/public`)).status).toBe(200);
  });

  it('decide which callers are served: a route without one refuses all', async () => {
    const ask = await serve();
    for (const token of [undefined, 'wrong', 'shop']) {
      expect((await ask('/undeclared', token))[0]).toBe(403);
    }
    expect(await ask('/public')).toEqual([200, 'served']);
    expect(await ask('/sponsor', 'shop')).toEqual([200, 'served']);
    expect(await ask('/operator', 'shop')).toEqual([
      403,
      '{"error":"Token lacks the role operator"}',
    ]);
    expect(await ask('/sponsor')).toEqual([401, '{"error":"Invalid authorization token"}']);
    expect(await ask('/operator', 'wrong')).toEqual([401, '{"error":"Unauthorized"}']);
    expect((await ask('/nowhere'))[0]).toBe(404);
  });
});
