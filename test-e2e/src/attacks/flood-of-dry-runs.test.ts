import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { describe, expect, it } from '@jest/globals';
import { sponsor } from '../support/application.js';
import { readClockProgram } from '../support/raw-transaction.js';
import { MAX_DRY_RUNS, system } from '../support/systems/token-system.js';
import { applicationOf } from '../support/tokens-file.js';
import { buildTx, dryRunTx } from '../support/unpaid-transaction.js';

describe('a flood of dry runs', () => {
  it('reaches the node a limited number of times, binds no coins and delays no other caller', async () => {
    const flooder = applicationOf('flooder', system.application);
    const user = new Ed25519Keypair();
    const before = await system.totals();
    const statuses = [];
    for (let count = 0; count < MAX_DRY_RUNS + 5; count++) {
      statuses.push((await dryRunTx(flooder, user, readClockProgram())).status);
    }
    expect(statuses).toEqual([
      ...Array<number>(MAX_DRY_RUNS).fill(200),
      ...Array<number>(5).fill(429),
    ]);
    const built = await buildTx(flooder, user, readClockProgram());
    expect([built.status, built.headers.get('error-code')]).toEqual([429, 'DRY_RUN_LIMIT']);
    expect(Number(built.headers.get('retry-after'))).toBeGreaterThan(0);
    // Other callers' reservations may have ended in the meantime.
    const { coins } = await system.totals();
    expect(coins.reserved <= before.coins.reserved).toBe(true);
    const { answer } = await sponsor(applicationOf('shop', system.application));
    expect(answer.status).toBe(200);
  });
});
