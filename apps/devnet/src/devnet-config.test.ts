import { describe, expect, it } from '@jest/globals';
import { ConfigError } from '@forecourt/runtime/config';
import { readDevnetConfig } from './devnet-config.js';

const OWNER = `0x${'ab'.repeat(32)}`;

describe('devnet configuration', () => {
  it('listens on loopback, with the control interface off, by default', () => {
    expect(readDevnetConfig({})).toMatchObject({
      host: '127.0.0.1',
      rpcPort: 9000,
      faucetPort: 9123,
      controlPort: null,
      seed: null,
      genesisFunds: [],
    });
  });

  it('enables the control interface only on request', () => {
    expect(readDevnetConfig({ DEVNET_CONTROL_PORT: 'off' }).controlPort).toBeNull();
    expect(readDevnetConfig({ DEVNET_CONTROL_PORT: 'on' }).controlPort).toBe(9124);
    expect(readDevnetConfig({ DEVNET_CONTROL_PORT: '7001' }).controlPort).toBe(7001);
  });

  it('reads funds beyond 2^53 exactly', () => {
    const { genesisFunds } = readDevnetConfig({
      DEVNET_GENESIS_FUNDS: `${OWNER}=18446744073709551615, 0x7=1`,
    });
    expect(genesisFunds).toEqual([
      { owner: OWNER, amount: 18446744073709551615n },
      { owner: `0x${'7'.padStart(64, '0')}`, amount: 1n },
    ]);
  });

  it.each([
    ['DEVNET_RPC_PORT', '65536'],
    ['DEVNET_RPC_PORT', 'http'],
    ['DEVNET_CONTROL_PORT', 'yes'],
    ['DEVNET_EPOCH_SECONDS', '0'],
    ['DEVNET_GENESIS_FUNDS', `${OWNER}=18446744073709551616`],
    ['DEVNET_GENESIS_FUNDS', `${OWNER}`],
    ['DEVNET_GENESIS_FUNDS', 'bob=5'],
  ])('refuses %s=%s and names both', (name, value) => {
    const read = () => readDevnetConfig({ [name]: value });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(name);
    expect(read).toThrow(value);
  });
});
