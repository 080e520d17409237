import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { describe, expect, it } from '@jest/globals';
import { buildSponsored, executeTx, reserved, reserveGas } from '../support/application.js';
import { readClockProgram } from '../support/raw-transaction.js';
import { system, USERS_COINS } from '../support/systems/token-system.js';
import { buildTx, dryRunTx } from '../support/unpaid-transaction.js';
import { userOfShop } from './user-of-shop.js';

describe('a token for one user', () => {
  const [alice, bob] = [new Ed25519Keypair(), new Ed25519Keypair()];

  it('sponsors transactions of that user', async () => {
    const application = userOfShop(alice);
    const reservation = await reserved(application);
    const transaction = await buildSponsored(application, reservation, { user: alice });
    expect((await executeTx(application, reservation, transaction)).status).toBe(200);
  });

  it('does not sponsor, build or dry-run another user’s transactions', async () => {
    const application = userOfShop(alice);
    const reservation = await reserved(application);
    const transaction = await buildSponsored(application, reservation, { user: bob });
    const answers = [
      await executeTx(application, reservation, transaction),
      await buildTx(application, bob, readClockProgram()),
      await dryRunTx(application, bob, readClockProgram()),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
    expect(answers[0]!.body.error).toContain(alice.toIotaAddress());
    expect(await system.control.submissionsOf(transaction.digest)).toBe(0);
  });

  it('cannot use another user’s reservation', async () => {
    const reservation = await reserved(userOfShop(alice));
    const transaction = await buildSponsored(system.application, reservation, { user: bob });
    const stolen = await executeTx(userOfShop(bob), reservation, transaction);
    expect(stolen.headers.get('error-code')).toBe('RESERVATION_UNKNOWN');
  });

  it('holds a few coins at once, and does not affect those of other users', async () => {
    const greedy = new Ed25519Keypair();
    const application = userOfShop(greedy);
    for (let count = 0; count < USERS_COINS; count++) await reserved(application, 1_000_000);
    expect((await reserveGas(application, 1_000_000)).status).toBe(429);
    const other = userOfShop(new Ed25519Keypair());
    expect((await reserveGas(other, 1_000_000)).status).toBe(200);
  });

  it('is refused once it has expired', async () => {
    const answer = await reserveGas(userOfShop(alice, -1));
    expect(answer.headers.get('error-code')).toBe('INVALID_AUTHORIZATION_TOKEN');
  });
});
