import { afterEach, describe, expect, it } from '@jest/globals';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import type { Transaction } from '@iota/iota-sdk/transactions';
import { buildSponsored, executeTx, reserved } from '../support/application.js';
import { COINS, system } from '../support/systems/small-pool.js';

const DRY_RUN = 'iota_dryRunTransactionBlock';
const CLOCK = '0x6';
const COUNT = '0xdec0::garage::count';
const NOWHERE = `0x${'bad'.padStart(64, '0')}`;
const SOME_DIGEST = '11111111111111111111111111111112';

type Fill = (tx: Transaction) => void;

/**
 * Sends such a transaction with every coin of the pool, each with a separate reservation, then a corrected
 * one with every reservation.
 */
async function attack(fill: Fill) {
  await system.untilAvailable(COINS);
  const user = new Ed25519Keypair();
  const attempts = await Promise.all(
    Array.from({ length: COINS }, async () => {
      const reservation = await reserved(system.application);
      const options = { user, build: fill };
      const transaction = await buildSponsored(system.application, reservation, options);
      return { reservation, transaction };
    }),
  );
  const answers = await Promise.all(
    attempts.map(({ reservation, transaction }) =>
      executeTx(system.application, reservation, transaction),
    ),
  );
  expect((await system.totals()).coins).toMatchObject({ quarantined: 0n, reserved: BigInt(COINS) });
  const submissions = await system.control.submissions();
  for (const { transaction } of attempts) expect(submissions[transaction.digest]).toBeUndefined();
  for (const { reservation } of attempts) {
    const corrected = await buildSponsored(system.application, reservation);
    const answer = await executeTx(system.application, reservation, corrected);
    expect(answer.body.effects?.status.status).toBe('success');
  }
  return answers;
}

async function packageReference() {
  const { data } = await system.ledger.getObject({ id: '0x2' });
  return { objectId: data!.objectId, version: data!.version, digest: data!.digest };
}

describe('inputs that no validator accepts bind no coin, not even until the next call', () => {
  afterEach(() => system.control.clearFaults());

  it.each<[string, RegExp, () => Promise<Fill> | Fill]>([
    [
      'the clock as a shared object to write',
      /Mutable parameter provided, immutable parameter expected/,
      () => (tx) => {
        const clock = { objectId: CLOCK, initialSharedVersion: 1, mutable: true };
        tx.moveCall({ target: COUNT, arguments: [tx.sharedObjectRef(clock)] });
      },
    ],
    [
      'a call to an object that is not a package',
      /A move package is expected, instead a move object is passed/,
      () => (tx) => void tx.moveCall({ target: `${CLOCK}::m::f` }),
    ],
    [
      'a type of a package that does not exist',
      /Dependent package not found on-chain/,
      () => (tx) =>
        void tx.moveCall({ target: '0x2::coin::zero', typeArguments: [`${NOWHERE}::m::T`] }),
    ],
    [
      'a dependency that does not exist',
      /Dependent package not found on-chain/,
      () => (tx) => void tx.publish({ modules: [[1]], dependencies: [NOWHERE] }),
    ],
    [
      'a received object that does not exist',
      /Could not find the referenced object/,
      () => (tx) => void tx.receivingRef({ objectId: NOWHERE, version: 3, digest: SOME_DIGEST }),
    ],
    [
      'a package as an owned input',
      /A move object is expected, instead a move package is passed/,
      async () => {
        const reference = await packageReference();
        return (tx) => tx.transferObjects([tx.objectRef(reference)], '0xb0b');
      },
    ],
    [
      'a package as a received input',
      /A move object is expected, instead a move package is passed/,
      async () => {
        const reference = await packageReference();
        return (tx) => void tx.receivingRef(reference);
      },
    ],
    [
      'a shared object from a wrong version on',
      /Wrong initial version given for shared object/,
      () => (tx) => {
        const clock = { objectId: CLOCK, initialSharedVersion: 2, mutable: false };
        tx.moveCall({ target: COUNT, arguments: [tx.sharedObjectRef(clock)] });
      },
    ],
  ])('%s', async (_what, words, make) => {
    const answers = await attack(await make());
    // A node that is behind would not show the missing object either.
    const expected = /not found|Could not find/.test(words.source) ? 503 : 400;
    for (const { status, body } of answers) {
      expect([status, body.error]).toEqual([expected, expect.stringMatching(words)]);
    }
  });

  it('refuses an input that only a dry run rejects, with an unknown error text', async () => {
    const message = 'A text that no version had before';
    await system.control.fault({ kind: 'refuse', code: -32002, message, method: DRY_RUN });
    const answers = await attack(
      (tx) => void tx.publish({ modules: [[1]], dependencies: ['0x2'] }),
    );
    for (const { status, body } of answers) expect([status, body.error]).toEqual([400, message]);
  });
});

describe('a transaction that is dry-run first', () => {
  afterEach(() => system.control.clearFaults());

  const publish: Fill = (tx) => void tx.publish({ modules: [[1]], dependencies: ['0x2'] });

  it('executes although it would fail in Move: its gas is spent', async () => {
    // A node that does not show the gas coins yet cannot decide, so the test waits for it.
    await system.control.untilShown();
    const before = await system.control.requestsOf(DRY_RUN);
    const reservation = await reserved(system.application);
    const transaction = await buildSponsored(system.application, reservation, { build: publish });
    const answer = await executeTx(system.application, reservation, transaction);
    expect(answer.status).toBe(200);
    expect(answer.body.effects?.status.status).toBe('failure');
    expect(await system.control.requestsOf(DRY_RUN)).toBe(before + 1);
  });

  it('gets 503 while the node cannot decide, and keeps its reservation', async () => {
    const reservation = await reserved(system.application);
    const transaction = await buildSponsored(system.application, reservation, { build: publish });
    const fault = { kind: 'refuse', preset: 'internal', method: DRY_RUN };
    await system.control.fault(fault);
    const refused = await executeTx(system.application, reservation, transaction);
    expect([refused.status, refused.headers.has('retry-after')]).toEqual([503, true]);
    expect(await system.control.submissionsOf(transaction.digest)).toBe(0);
    await system.control.clearFaults();
    expect((await executeTx(system.application, reservation, transaction)).status).toBe(200);
  });

  it('is one that look-ups cannot decide; other transactions cost no dry run', async () => {
    const before = await system.control.requestsOf(DRY_RUN);
    const reservation = await reserved(system.application);
    const transaction = await buildSponsored(system.application, reservation);
    expect((await executeTx(system.application, reservation, transaction)).status).toBe(200);
    expect(await system.control.requestsOf(DRY_RUN)).toBe(before);
    expect(await system.differences()).toEqual([]);
  });
});
