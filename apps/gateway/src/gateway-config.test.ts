import { describe, expect, it } from '@jest/globals';
import { readGatewayConfig } from './gateway-config.js';

describe('the gateway’s configuration', () => {
  it('needs a token, or the wish to serve openly by name', () => {
    expect(() => readGatewayConfig({})).toThrow('GAS_STATION_AUTH');
    expect(() => readGatewayConfig({ GAS_STATION_AUTH: ' , ' })).toThrow('GAS_STATION_AUTH');
    expect(readGatewayConfig({ ALLOW_UNAUTHENTICATED: 'true' }).tokens).toEqual([]);
    expect(readGatewayConfig({ GAS_STATION_AUTH: 'a,b' }).tokens).toEqual(['a', 'b']);
  });
});
