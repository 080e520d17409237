import { describe, expect, it } from '@jest/globals';
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
});
