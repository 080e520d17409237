import { sign } from 'node:crypto';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { describe, expect, it } from '@jest/globals';
import {
  type Application,
  buildSponsored,
  executeTx,
  reserved,
  reserveGas,
} from './application.js';
import { readClockProgram } from './raw-transaction.js';
import { system, USER_KEYS, USERS_COINS } from './token-system.js';
import { buildTx, dryRunTx } from './unpaid-transaction.js';

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** What the backend of an application gives to one of its users. */
function asUser({ user, lifeSecs = 60 }: { user: Ed25519Keypair; lifeSecs?: number }): Application {
  const exp = Math.floor(Date.now() / 1_000) + lifeSecs;
  const claims = { iss: 'shop-users', sub: user.toIotaAddress(), exp };
  const signed = `${encode({ alg: 'EdDSA', typ: 'JWT' })}.${encode(claims)}`;
  const signature = sign(null, Buffer.from(signed), USER_KEYS.privateKey).toString('base64url');
  return { ...system.application, token: `${signed}.${signature}` };
}

describe('a token for one user', () => {
  const [alice, bob] = [new Ed25519Keypair(), new Ed25519Keypair()];

  it('has transactions of that user sponsored', async () => {
    const application = asUser({ user: alice });
    const reservation = await reserved(application);
    const transaction = await buildSponsored(application, reservation, { user: alice });
    expect((await executeTx(application, reservation, transaction)).status).toBe(200);
  });

  it('has nobody else’s sponsored, built or tried out', async () => {
    const application = asUser({ user: alice });
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

  it('does not use another user’s reservation', async () => {
    const reservation = await reserved(asUser({ user: alice }));
    const transaction = await buildSponsored(system.application, reservation, { user: bob });
    const stolen = await executeTx(asUser({ user: bob }), reservation, transaction);
    expect(stolen.headers.get('error-code')).toBe('RESERVATION_UNKNOWN');
  });

  it('holds a few coins at once, and leaves those of other users alone', async () => {
    const greedy = new Ed25519Keypair();
    const application = asUser({ user: greedy });
    const statuses = [];
    for (let count = 0; count <= USERS_COINS; count++) {
      statuses.push((await reserveGas(application, 1_000_000, 5)).status);
    }
    expect(statuses).toEqual([...Array<number>(USERS_COINS).fill(200), 429]);
    const other = asUser({ user: new Ed25519Keypair() });
    expect((await reserveGas(other, 1_000_000, 5)).status).toBe(200);
  });

  it('is over when it is over', async () => {
    const answer = await reserveGas(asUser({ user: alice, lifeSecs: -1 }));
    expect(answer.headers.get('error-code')).toBe('INVALID_AUTHORIZATION_TOKEN');
  });
});
