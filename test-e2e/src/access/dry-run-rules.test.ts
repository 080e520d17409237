import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { describe, expect, it } from '@jest/globals';
import { sponsor } from '../support/application.js';
import { readClockProgram } from '../support/raw-transaction.js';
import { setRules, system } from '../support/systems/rules-system.js';
import { buildTx, dryRunTx } from '../support/unpaid-transaction.js';

const user = new Ed25519Keypair();
const dryRun = async () => {
  const { body } = await dryRunTx(system.application, user, readClockProgram());
  return (body.result as unknown as { sponsored: unknown }).sponsored;
};

describe('a dry run under access rules', () => {
  it('names the rule that allows it and the rest of its limit, and counts nothing', async () => {
    await setRules(`  access-policy: deny-all
  rules:
    - name: two
      requests: { value: '<=2', window: 1 hour }
      action: allow`);
    await sponsor(system.application);
    for (let count = 0; count < 3; count++) {
      expect(await dryRun()).toEqual({
        allowed: true,
        rule: 'two',
        reason: null,
        limits: [
          {
            counts: 'requests',
            used: '1',
            amount: '1',
            limit: '2',
            remaining: '0',
            window_secs: 3_600,
            ends_at: null,
          },
        ],
      });
    }
    await sponsor(system.application);
    expect(await dryRun()).toMatchObject({
      allowed: false,
      reason: expect.stringMatching(
        /^Limit of requests reached: requests <= 2 in 1 hour by rule two/,
      ),
      limits: [{ used: '2', remaining: '-1' }],
    });
    const built = await buildTx(system.application, user, readClockProgram());
    expect([built.status, built.headers.get('error-code')]).toEqual([429, 'REQUEST_LIMIT']);
    expect(Number(built.headers.get('retry-after'))).toBeGreaterThan(3_000);
  });

  it('shows that a rule would deny, and nothing is built or reserved', async () => {
    await setRules(`  access-policy: allow-all
  rules:
    - name: nobody
      sender-address: '${user.toIotaAddress()}'
      message: not today
      action: deny`);
    expect(await dryRun()).toEqual({
      allowed: false,
      rule: 'nobody',
      reason: 'not today',
      limits: [],
    });
    const before = await system.totals();
    const built = await buildTx(system.application, user, readClockProgram());
    expect([built.status, built.body.error]).toEqual([403, 'not today']);
    expect((await system.totals()).coins.reserved).toBe(before.coins.reserved);
  });

  it('uses the budget that the transaction needs if the caller names none', async () => {
    await setRules(`  access-policy: deny-all
  rules:
    - transaction-gas-budget: '<=20000000'
      gas-usage: { value: '<=60000000', window: 6 hours, count-by: [sender-address] }
      action: allow`);
    expect(await dryRun()).toMatchObject({ allowed: true });
    expect((await buildTx(system.application, user, readClockProgram())).status).toBe(200);
    const over = { gas_budget: 20_000_001 };
    const tooMuch = await buildTx(system.application, user, readClockProgram(), over);
    expect(tooMuch.headers.get('error-code')).toBe('FORBIDDEN');
  });

  it('leaves the decision open if a hook decides', async () => {
    await setRules(`  access-policy: allow-all
  rules:
    - action: { url: 'http://127.0.0.1:1', timeout: 1s, retries: 0 }`);
    expect(await dryRun()).toMatchObject({
      allowed: null,
      reason: expect.stringContaining('hook'),
    });
    expect((await buildTx(system.application, user, readClockProgram())).status).toBe(200);
  });
});
