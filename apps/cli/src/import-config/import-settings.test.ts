import { describe, expect, it } from '@jest/globals';
import { KeyServer } from '@forecourt/testing/key-services';
import { importSettings, writeEnvironment } from './import-settings.js';
import { nameSponsor } from './name-sponsor.js';

const CONFIG = `signer-config:
  local:
    keypair: AKJvlwEulZj0Enj/btnZtFpWqQgfwVU7/UaRmycpW6dq
rpc-host-ip: 0.0.0.0
rpc-port: 9527
metrics-port: 9184
storage-config:
  redis:
    redis_url: "redis://redis:6379"
fullnode-url: "https://api.testnet.iota.cafe"
fullnode-basic-auth:
  - alice
  - it's secret
coin-init-config:
  target-init-balance: 100000000
  refresh-interval-sec: 86400
daily-gas-usage-cap: 1500000000000
max-gas-budget: 2000000000
checkpoint-inclusion-timeout-ms: 10000
access-controller:
  access-policy: deny-all
  rules:
    - sender-address: "0x0101010101010101010101010101010101010101010101010101010101010101"
      action: allow
`;

const withSidecar = (url: string) =>
  CONFIG.replace(/local:\n {4}keypair: .*/, `sidecar:\n    sidecar-url: ${url}`);

describe('the import of a configuration of IOTA’s gas station', () => {
  it('keeps every setting that has a counterpart', () => {
    const { variables } = importSettings(CONFIG, '/etc/config.yaml');
    expect(Object.fromEntries(variables)).toEqual({
      SPONSOR_KEYS: 'AKJvlwEulZj0Enj/btnZtFpWqQgfwVU7/UaRmycpW6dq',
      LISTEN_HOST: '0.0.0.0',
      GATEWAY_COMPATIBILITY_PORT: '9527',
      GATEWAY_PORT: '9528',
      GATEWAY_METRICS_PORT: '9184',
      REDIS_URL: 'redis://redis:6379',
      LEDGER_URL: 'https://api.testnet.iota.cafe',
      LEDGER_HEADERS: `{"authorization":"Basic ${btoa("alice:it's secret")}"}`,
      POOL_TARGET_BALANCE: '100000000',
      MAX_GAS_BUDGET: '2000000000',
      LOCAL_EXECUTION_WAIT_MS: '10000',
      ACCESS_RULES_FILE: '/etc/config.yaml',
    });
  });

  it('asks a sidecar for the sponsor’s address', async () => {
    const server = await KeyServer.start({ protocol: 'sui-sidecar' });
    const url = `http://${server.host}/aws-kms/`;
    const { variables, remarks } = await nameSponsor(importSettings(withSidecar(url), 'c'));
    expect(variables.get('SPONSOR_KEYS')).toBe(server.entry());
    expect(remarks.filter((remark) => remark.includes('SPONSOR_KEYS'))).toEqual([]);
    await server.stop();
  });

  it('says what to add where the sidecar does not answer, and what has no counterpart', async () => {
    const url = 'http://127.0.0.1:1/kms';
    await expect(nameSponsor(importSettings(withSidecar(url), 'c'))).rejects.toThrow(
      /\(ECONNREFUSED\)\. Import .* or add \?address=0x… to sidecar-url$/,
    );
    const named = `${url}?address=0x${'1'.repeat(64)}`;
    const { variables } = await nameSponsor(importSettings(withSidecar(named), 'c'));
    expect(variables.get('SPONSOR_KEYS')).toBe(`sidecar+${named}`);
    const withoutRules = CONFIG.slice(0, CONFIG.indexOf('access-controller'));
    expect(importSettings(withoutRules, 'config.yaml').remarks).toContainEqual(
      expect.stringMatching(/^daily-gas-usage-cap \(1500000000000\) applies once/),
    );
  });

  it('refuses a setting that it does not know, by its line', () => {
    const text = `${CONFIG}gas-price-cap: 5\n`;
    expect(() => importSettings(text, 'c')).toThrow(
      /line 25: the configuration has an unknown key: gas-price-cap/,
    );
  });

  it('is written as shells and Compose read it', () => {
    const variables = new Map([
      ['LEDGER_URL', 'https://api.testnet.iota.cafe'],
      ['LEDGER_HEADERS', `{"a":"it's"}`],
    ]);
    expect(writeEnvironment({ variables, remarks: ['one'] })).toBe(
      `# one\nLEDGER_URL=https://api.testnet.iota.cafe\nLEDGER_HEADERS='{"a":"it'\\''s"}'\n`,
    );
  });
});
