import { describe, expect, it } from '@jest/globals';
import { call, executeTx, sponsor } from '../support/application.js';
import { system } from '../support/systems/token-system.js';
import { applicationOf } from '../support/tokens-file.js';

const READ = 'iota_getTransactionBlock';
const REPETITIONS = 40;

describe('repetitions of an executed call', () => {
  it('are all answered, and do not make a gateway read the transaction again', async () => {
    const shop = applicationOf('shop', system.application);
    const { reservation, transaction, answer } = await sponsor(shop);
    // The first repetition ends once the node shows the transaction.
    await executeTx(shop, reservation, transaction);
    const before = await system.control.requestsOf(READ);
    const repeated = await Promise.all(
      Array.from({ length: REPETITIONS }, () => executeTx(shop, reservation, transaction)),
    );
    expect(repeated.map(({ body }) => body)).toEqual(repeated.map(() => answer.body));
    // Executors may still be reading it.
    const reads = (await system.control.requestsOf(READ)) - before;
    expect(reads).toBeLessThan(REPETITIONS / 10);
  });
});

describe('a sponsor that does not exist', () => {
  it('is refused as a mistake of the caller, which a retry would not change', async () => {
    const { status, headers, body } = await call(system.application, 'POST', '/v1/reserve_gas', {
      gas_budget: 1_000_000,
      reserve_duration_secs: 5,
      sponsor_address: `0x${'9'.repeat(64)}`,
    });
    expect([status, headers.get('retry-after')]).toEqual([400, null]);
    expect(body.error).toContain('is not a sponsor of this gas station');
  });
});
