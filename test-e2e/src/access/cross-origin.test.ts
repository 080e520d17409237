import { describe, expect, it } from '@jest/globals';
import { PAGE_ORIGIN, system } from '../support/systems/usual-system.js';

const PREFLIGHT = {
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'authorization,content-type',
};
const ask = (path: string, method: string, headers: Record<string, string>) =>
  fetch(`${system.application.url}${path}`, { method, headers });

describe('pages of other origins', () => {
  it('may call the API from a configured origin, and read the reason of a refusal', async () => {
    const preflight = await ask('/v1/reserve_gas', 'OPTIONS', {
      origin: PAGE_ORIGIN,
      ...PREFLIGHT,
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([
      204,
      PAGE_ORIGIN,
    ]);
    expect(preflight.headers.get('access-control-allow-headers')).toContain('authorization');
    const refused = await ask('/v1/reserve_gas', 'POST', { origin: PAGE_ORIGIN });
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([
      401,
      PAGE_ORIGIN,
    ]);
    expect(refused.headers.get('access-control-expose-headers')).toContain('error-code');
    expect(refused.headers.get('access-control-allow-credentials')).toBeNull();
  });

  it.each([
    ['a client that revalidates', 'GET', 'authorization,cache-control,if-none-match'],
    ['an error tracker', 'POST', 'authorization,baggage,content-type,sentry-trace,traceparent'],
  ])('may send and read the headers of %s', async (_, method, names) => {
    const preflight = await ask('/v1/usage', 'OPTIONS', {
      origin: PAGE_ORIGIN,
      'access-control-request-method': method,
      'access-control-request-headers': names,
    });
    const allowed = preflight.headers.get('access-control-allow-headers')!.split(', ');
    const isAllowed = (name: string) =>
      allowed.includes(name) || (allowed.includes('*') && name !== 'authorization');
    expect(names.split(',').filter((name) => !isAllowed(name))).toEqual([]);
    const answer = await ask('/v1/usage', 'GET', { origin: PAGE_ORIGIN });
    expect(answer.headers.get('access-control-expose-headers')!.split(', ')).toContain('*');
  });

  it.each([
    ['/v1/reserve_gas', 'https://evil.example'],
    ['/v1/reserve_gas', `${PAGE_ORIGIN}.evil.example`],
    ['/v1/reserve_gas', 'null'],
    ['/debug_health_check', PAGE_ORIGIN],
  ])('may not call %s from %s', async (path, origin) => {
    const answer = await ask(path, 'OPTIONS', { origin, ...PREFLIGHT });
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    expect(answer.status).not.toBe(204);
  });
});
