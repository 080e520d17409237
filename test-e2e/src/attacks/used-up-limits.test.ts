import { describe, expect, it } from '@jest/globals';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { buildSponsored, executeTx, reserved } from '../support/application.js';
import { system } from '../support/systems/token-system.js';
import { applicationOf } from '../support/tokens-file.js';

const READ = 'iota_multiGetObjects';
/** More than `poor` may spend in a day. */
const COSTLY = 20_000_000;
const TRIES = 6;

describe('executions beyond a spending limit', () => {
  it('cost one look-up on the ledger, however often the caller repeats them', async () => {
    const poor = applicationOf('poor', system.application);
    const user = new Ed25519Keypair();
    await system.control.mint(user.toIotaAddress(), 1_000_000);
    const { data } = await system.ledger.getCoins({ owner: user.toIotaAddress() });
    const { coinObjectId: objectId, version, digest } = data[0]!;
    const reservation = await reserved(poor, COSTLY);
    const transactions = [];
    for (let count = 1; count <= TRIES; count++) {
      const transaction = await buildSponsored(poor, reservation, {
        user,
        gasBudget: COSTLY,
        build: (tx) =>
          tx.transferObjects([tx.objectRef({ objectId, version, digest })], `0x${count}`),
      });
      transactions.push(transaction);
    }
    const before = await system.control.requestsOf(READ);
    const codes = [];
    for (const transaction of transactions) {
      const { headers } = await executeTx(poor, reservation, transaction);
      codes.push(headers.get('error-code'));
    }
    expect(codes).toEqual(Array<string>(TRIES).fill('SPENDING_LIMIT'));
    expect((await system.control.requestsOf(READ)) - before).toBeLessThanOrEqual(1);
  });
});
