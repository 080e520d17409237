import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { partial } from '@forecourt/testing/jest';
import { ForecourtError } from '@forecourt/contracts';
import { CONFIGURED_CALLER, hashToken, Tokens } from '@forecourt/policy/tokens';
import { type FastifyInstance, fastify } from 'fastify';
import { requireOwnSender } from './caller-limits.js';
import type { RouteDeclaration } from './route-declaration.js';
import { callerOf } from './request-caller.js';
import { RequestAuthorization } from './request-authorization.js';

const ROUTES: Readonly<Record<string, RouteDeclaration>> = {
  '/public': { access: 'public' },
  '/own': { access: 'checked by the route' },
  '/undeclared': {},
  '/sponsor': { access: { roles: ['sponsor'], refusal: { error: 'Invalid authorization token' } } },
  '/operator': { access: { roles: ['operator'], refusal: 'Unauthorized' } },
  '/auditor': { access: { roles: ['operator', 'auditor'], refusal: 'Unauthorized' } },
  '/reader': { access: { roles: ['operator', 'sponsor'], refusal: 'Unauthorized' } },
};

let server: FastifyInstance;
let exceeded: ForecourtError | null = null;
const handled: string[] = [];
let counted = 0;

beforeAll(async () => {
  server = fastify();
  const count = async () => {
    counted += 1;
    return exceeded;
  };
  const rateLimit = { requests: 1, windowMs: 1_000 };
  const caller = { ...CONFIGURED_CALLER, rateLimit, roles: new Set(['sponsor'] as const) };
  const limited = { hash: hashToken('limited'), expiresAt: Infinity, caller };
  const tokens = new Tokens(['token'], [limited], false);
  new RequestAuthorization(partial({ tokens }), partial({ count })).attachTo(server);
  for (const [url, config] of Object.entries(ROUTES)) {
    server.get(url, { config }, async (request) => {
      const isKnown = typeof config.access === 'object';
      handled.push(isKnown ? callerOf(request).name : 'anyone');
      return {};
    });
  }
  await server.ready();
});
afterAll(() => server.close());
beforeEach(() => {
  handled.length = 0;
  counted = 0;
  exceeded = null;
});

async function get(url: string, token?: string) {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const response = await server.inject({ url, headers });
  return { status: response.statusCode, body: response.json<unknown>(), handled: [...handled] };
}

describe('the authorization of a request', () => {
  it.each(['/public', '/own'])('requires no token at %s', async (url) => {
    expect(await get(url)).toMatchObject({ status: 200, handled: ['anyone'] });
    expect(counted).toBe(0);
  });

  it('refuses all callers at a route that does not declare its access', async () => {
    expect(await get('/undeclared', 'token')).toMatchObject({ status: 403, handled: [] });
  });

  it('passes unknown paths to the handler of unknown routes', async () => {
    expect(await get('/nowhere')).toMatchObject({ status: 404, handled: [] });
  });

  it.each([undefined, 'wrong'])('answers 401 to the token %p', async (token) => {
    const error = { error: 'Invalid authorization token' };
    expect(await get('/sponsor', token)).toEqual({ status: 401, body: error, handled: [] });
    expect(await get('/operator', token)).toEqual({
      status: 401,
      body: 'Unauthorized',
      handled: [],
    });
    expect(counted).toBe(0);
  });

  it('answers 403 to a token that lacks the role', async () => {
    expect(await get('/operator', 'limited')).toMatchObject({
      status: 403,
      body: { error: expect.stringContaining('lacks the role operator') },
      handled: [],
    });
    expect(await get('/sponsor', 'limited')).toMatchObject({ status: 200 });
  });

  it('accepts a token with any of several roles, and names the first to one with none', async () => {
    expect(await get('/reader', 'limited')).toMatchObject({ status: 200, handled: ['default'] });
    expect(await get('/auditor', 'limited')).toMatchObject({
      status: 403,
      body: { error: 'Token lacks the role operator' },
    });
  });

  it('accepts a caller within its rate limit, and refuses it beyond', async () => {
    expect(await get('/sponsor', 'limited')).toMatchObject({ status: 200, handled: ['default'] });
    exceeded = new ForecourtError('RATE_LIMITED', '', { retryAfterSecs: 7 });
    handled.length = 0;
    expect(await get('/sponsor', 'limited')).toMatchObject({ status: 429, handled: [] });
    expect(counted).toBe(2);
  });
});

describe('a user’s token', () => {
  it('is valid for transactions of that user only', () => {
    const other = () => requireOwnSender({ sender: '0x1' }, '0x2');
    expect(other).toThrow(expect.objectContaining({ code: 'FORBIDDEN' }));
    expect(() => requireOwnSender({ sender: '0x1' }, '0x1')).not.toThrow();
    expect(() => requireOwnSender({ sender: null }, '0x2')).not.toThrow();
  });
});
