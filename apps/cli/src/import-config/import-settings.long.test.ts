import { existsSync } from 'node:fs';
import { TemporaryFolder } from '@forecourt/testing/jest';
import { createSponsorKey } from '@forecourt/testing/system';
import { afterAll, describe, expect, it } from '@jest/globals';
import { run } from '../stand-in-station.test-support.js';

const files = new TemporaryFolder();
afterAll(() => files.remove());

const CONFIG = `signer-config:
  local: { keypair: ${createSponsorKey().secret} }
rpc-port: 9527
storage-config: { redis: { redis_url: "redis://redis:6379" } }
fullnode-url: https://api.testnet.iota.cafe
coin-init-config: { target-init-balance: 100000000 }
access-controller:
  access-policy: deny-all
  rules:
    - { sender-address: "0x${'01'.repeat(32)}", action: allow }
`;
const importText = (text: string) =>
  run(['import-config', files.write('config.yaml', text), '--output', files.pathOf('out.env')]);

describe('forecourt import-config', () => {
  it.each([
    ['redis://redis:6379', 'redis:://127.0.0.1', 'REDIS_URL must'],
    ['deny-all', 'allowlist', 'ACCESS_RULES_FILE, line'],
    [`0x${'01'.repeat(32)}`, '0xYourAddress', 'ACCESS_RULES_FILE, line'],
    ['action: allow', 'action: allow, gas-budget: 5', 'ACCESS_RULES_FILE, line'],
    ['https://api.testnet.iota.cafe', 'api.testnet.iota.cafe', 'LEDGER_URL must'],
    ['keypair: iotaprivkey', 'keypair: placeholder', 'Entry 1 of the sponsors’ keys'],
    ['100000000', '1', 'POOL_TARGET_BALANCE must'],
  ])('writes nothing, and says why, for %s as %s', async (usual, mistake, message) => {
    expect(CONFIG).toContain(usual);
    const { exitCode, output } = await importText(CONFIG.replace(usual, mistake));
    expect([exitCode, output]).toEqual([2, expect.stringContaining(message)]);
    expect(existsSync(files.pathOf('out.env'))).toBe(false);
  });

  it('writes settings with which services start', async () => {
    const { exitCode, output } = await importText(CONFIG);
    expect([exitCode, output]).toEqual([0, expect.stringContaining('settings written to')]);
  });
});
