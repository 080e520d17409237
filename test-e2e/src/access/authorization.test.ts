import { describe, expect, it } from '@jest/globals';
import { call, reserved } from '../support/application.js';
import { system } from '../support/systems/usual-system.js';

const INVALID = { error: 'Invalid authorization token' };
const protectedRoutes = [
  ['POST', '/v1/reserve_gas', INVALID],
  ['POST', '/v1/execute_tx', INVALID],
  ['GET', '/v1/reload_access_controller', { error: 'Unauthorized' }],
  ['POST', '/debug_health_check', 'Unauthorized'],
] as const;

describe('tokens', () => {
  it.each(protectedRoutes)('are required for %s %s', async (method, path, body) => {
    for (const token of ['', 'wrong', 'first-toke', 'first-tokenn', 'first-token,second-token']) {
      const answer = await call({ ...system.application, token }, method, path);
      expect([answer.status, answer.body]).toEqual([401, body]);
    }
  });

  it.each(['first-token', 'second-token'])('give access to every route: %s', async (token) => {
    const application = { ...system.application, token };
    expect((await reserved(application, 1_000_000, 1)).gas_coins.length).toBeGreaterThan(0);
    const reload = await call(application, 'GET', '/v1/reload_access_controller');
    expect([reload.status, reload.body]).toEqual([200, { result: 'success' }]);
  });

  it('are checked before the body', async () => {
    const application = { ...system.application, token: 'wrong' };
    const answer = await call(application, 'POST', '/v1/reserve_gas', '{"broken');
    expect(answer.status).toBe(401);
  });

  it('are not needed for the health check and the version', async () => {
    const open = { ...system.application, token: '' };
    const health = await call(open, 'GET', '/');
    const version = await call(open, 'GET', '/version');
    expect([health.status, health.body]).toEqual([200, 'OK']);
    expect(version.headers.get('content-type')).toContain('application/json');
    expect(version.body).toMatch(/^[1-9]\d*\.\d+\.\d+-[0-9a-f]{12}$/);
  });

  it('fail with a plain text for clients that accept it', async () => {
    const response = await fetch(`${system.application.url}/version`, {
      headers: { accept: 'text/plain' },
    });
    expect(response.headers.get('content-type')).toContain('text/plain');
    expect(await response.text()).toMatch(/^[1-9]\d*\.\d+\.\d+-[0-9a-f]{12}$/);
  });

  it('are required: the gateway refuses to start without any', async () => {
    const { exitCode, output } = await system.tryGateway({ GAS_STATION_AUTH: '' });
    expect(exitCode).not.toBe(0);
    expect(output).toContain('GAS_STATION_AUTH');
  });
});
