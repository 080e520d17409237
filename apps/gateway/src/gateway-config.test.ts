import { describe, expect, it } from '@jest/globals';
import { gatewayLimits } from '@forecourt/resilience';
import { LEDGER_MAX_GAS_BUDGET, RESERVE_DURATION_BOUNDS } from '@forecourt/contracts';
import { readGatewayConfig } from './gateway-config.js';

const FLEET_SECRET = 'a-secret-of-a-fleet-of-32-or-more-characters';
const read = (environment: Record<string, string>) =>
  readGatewayConfig({ FLEET_SECRET, ...environment });

describe('the gateway configuration', () => {
  it('requires a token unless ALLOW_UNAUTHENTICATED is set', () => {
    expect(() => read({})).toThrow('GAS_STATION_AUTH');
    expect(() => read({ GAS_STATION_AUTH: ' , ' })).toThrow('GAS_STATION_AUTH');
    expect(read({ ALLOW_UNAUTHENTICATED: 'true' }).tokens).toEqual([]);
    expect(read({ GAS_STATION_AUTH: 'a,b' }).tokens).toEqual(['a', 'b']);
  });

  it('requires FLEET_SECRET unless ALLOW_UNAUTHENTICATED_FLEET is set', () => {
    const environment = { GAS_STATION_AUTH: 'a' };
    expect(() => readGatewayConfig(environment)).toThrow('FLEET_SECRET is not set');
    const open = { ...environment, ALLOW_UNAUTHENTICATED_FLEET: 'true' };
    expect(readGatewayConfig(open).fleetSecrets).toEqual([]);
  });

  it.each([
    [undefined, '/'],
    ['https://gas.example.com/', 'https://gas.example.com'],
    ['http://127.0.0.1:9527/station/', 'http://127.0.0.1:9527/station'],
  ])('PUBLIC_URL %p is %p for clients', (text, publicUrl) => {
    const environment: Record<string, string> = text === undefined ? {} : { PUBLIC_URL: text };
    expect(read({ GAS_STATION_AUTH: 'a', ...environment }).publicUrl).toBe(publicUrl);
  });

  it.each(['gas.example.com', 'ftp://x', 'https://user@x', 'https://x/?a', 'https://x/#a'])(
    'PUBLIC_URL must be a plain http(s) URL, which %s is not',
    (text) => {
      expect(() => read({ GAS_STATION_AUTH: 'a', PUBLIC_URL: text })).toThrow(/PUBLIC_URL must be/);
    },
  );

  it('bounds reservations as the API does', () => {
    expect(gatewayLimits.maxGasBudget.max).toBe(LEDGER_MAX_GAS_BUDGET);
    expect(gatewayLimits.maxReserveDurationSecs.default).toBe(RESERVE_DURATION_BOUNDS.max);
  });
});
