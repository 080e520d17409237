import { describe, expect, it } from '@jest/globals';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { Transaction } from '@iota/iota-sdk/transactions';
import {
  buildSponsored,
  call,
  executeTx,
  readClock,
  reserved,
  type Reservation,
  sponsor,
  type TransactionOptions,
} from '../support/application.js';
import { refusalOf } from './refusal-of.js';
import { system } from '../support/systems/usual-system.js';

describe('POST /v1/execute_tx with a reservation that stays usable', () => {
  it.each([
    ['reservation_id', 0],
    ['reservation_id', '1'],
    ['tx_bytes', 7],
    ['tx_bytes', 'not base64!'],
    ['tx_bytes', undefined],
    ['user_sig', null],
    ['requestType', 'waitForever'],
    ['request_type', 'WaitForLocalExecution'],
  ])('refuses %s = %p', async (field, value) => {
    const reservation = await reserved(system.application, 1_000_000, 5);
    const transaction = await buildSponsored(system.application, reservation);
    const answer = await executeTx(system.application, reservation, transaction, {
      [field]: value,
    });
    expect([answer.status, answer.body.error]).toEqual([400, expect.stringContaining(field)]);
  });

  it('refuses bytes that are not a transaction', async () => {
    const reservation = await reserved(system.application);
    const { bytes, user_sig } = await buildSponsored(system.application, reservation);
    const truncated = Buffer.from(bytes.subarray(0, -3)).toString('base64');
    const trailing = Buffer.concat([bytes, Buffer.from([0])]).toString('base64');
    for (const tx_bytes of ['AAAA', truncated, trailing]) {
      const answer = await executeTx(system.application, reservation, { tx_bytes, user_sig });
      expect(answer.status).toBe(400);
      expect(answer.body.error).toMatch(/^Invalid transaction bytes: ./);
    }
  });

  it('refuses a signature that is not the sender’s over these bytes', async () => {
    const reservation = await reserved(system.application);
    const transaction = await buildSponsored(system.application, reservation);
    const { sender } = Transaction.from(transaction.bytes).getData();
    const stranger = new Ed25519Keypair();
    const { signature } = await stranger.signTransaction(transaction.bytes);
    const tampered = Buffer.from(transaction.user_sig, 'base64');
    tampered[10]! ^= 1;
    for (const user_sig of [signature, tampered.toString('base64'), 'AAAA']) {
      const answer = await executeTx(system.application, reservation, { ...transaction, user_sig });
      const expected = { error: 'Invalid transaction signature' };
      expect([answer.status, answer.body]).toEqual([400, expected]);
      expect(answer.headers.get('error-code')).toBe('INVALID_SIGNATURE');
      expect(answer.headers.get('expected-signer')).toBe(sender);
    }
    const good = await executeTx(system.application, reservation, transaction);
    expect(good.status).toBe(200);
  });

  it('refuses a sender that is the sponsor', async () => {
    const sponsorKey = Ed25519Keypair.fromSecretKey(system.sponsorSecret);
    const { status, error } = await refusalOf(() => ({ user: sponsorKey }));
    expect([status, error]).toEqual([400, expect.stringContaining('sender is the sponsor')]);
  });

  it('refuses a gas owner that is not the reservation’s sponsor', async () => {
    const gasOwner = new Ed25519Keypair().toIotaAddress();
    const { status, error } = await refusalOf(() => ({ gasOwner }));
    expect([status, error]).toEqual([400, expect.stringContaining('gas owner')]);
  });

  it.each<[string, (tx: Transaction) => void]>([
    ['the coin of a split', (tx) => tx.transferObjects([tx.splitCoins(tx.gas, [1])], '0x7')],
    ['an object of a transfer', (tx) => tx.transferObjects([tx.gas], '0x7')],
    ['the address of a transfer', (tx) => tx.transferObjects([tx.object('0x6')], tx.gas)],
    ['an amount of a split', (tx) => tx.splitCoins(tx.object('0x6'), [tx.gas])],
    ['the target of a merge', (tx) => tx.mergeCoins(tx.gas, [tx.object('0x6')])],
    ['a source of a merge', (tx) => tx.mergeCoins(tx.object('0x6'), [tx.gas])],
    ['an element of a vector', (tx) => tx.makeMoveVec({ elements: [tx.gas] })],
    [
      'an argument of a call',
      (tx) =>
        tx.moveCall({
          target: '0x2::coin::value',
          typeArguments: ['0x2::iota::IOTA'],
          arguments: [tx.gas],
        }),
    ],
  ])('refuses the gas coin used as %s', async (_position, use) => {
    const { status, error } = await refusalOf(() => ({ build: use }));
    expect([status, error]).toEqual([400, expect.stringContaining('may only pay for gas')]);
  });

  it('refuses a reserved coin as an input object', async () => {
    const { status, error } = await refusalOf((reservation) => ({
      build: (tx) => {
        const { objectId, version, digest } = reservation.gas_coins[0]!;
        tx.transferObjects([tx.objectRef({ objectId, version, digest })], '0x7');
      },
    }));
    expect([status, error]).toEqual([400, expect.stringContaining('reserved coin')]);
  });

  it('refuses a gas payment that is not exactly the reserved coins', async () => {
    const other = await reserved(system.application, 10_000_000, 60);
    const wrongPayments = [
      (own: Reservation) => other.gas_coins.slice(0, own.gas_coins.length),
      (own: Reservation) => [...own.gas_coins, ...other.gas_coins],
      (own: Reservation) => own.gas_coins.map((coin) => ({ ...coin, version: coin.version + 1 })),
      (own: Reservation) =>
        own.gas_coins.map((coin) => ({ ...coin, digest: other.gas_coins[0]!.digest })),
    ];
    for (const wrong of wrongPayments) {
      const { status, error } = await refusalOf((own) => ({ payment: wrong(own) }));
      expect([status, error]).toEqual([
        400,
        expect.stringContaining('gas payment does not match the reserved coins'),
      ]);
    }
    const untouched = await buildSponsored(system.application, other);
    expect((await executeTx(system.application, other, untouched)).status).toBe(200);
  });

  it('refuses a budget above the reserved one', async () => {
    const { status, error } = await refusalOf(() => ({ gasBudget: 10_000_001 }));
    expect([status, error]).toEqual([400, expect.stringContaining('budget')]);
  });

  it('refuses an expiration that has passed', async () => {
    await system.control.advanceEpoch();
    const build = (tx: Transaction) => {
      tx.setExpiration({ Epoch: 0 });
      readClock(tx);
    };
    const reservation = await reserved(system.application);
    const user = new Ed25519Keypair();
    const { tx_bytes } = await buildSponsored(system.application, reservation, { build, user });
    // Until the gateway knows the epoch, it submits the transaction, and the refusal comes from the ledger.
    await system.until(async () => {
      const body = { sender: user.toIotaAddress(), tx_bytes };
      const answer = await call(system.application, 'POST', '/v1/dry_run_tx', body);
      return answer.headers.get('error-code') === 'TRANSACTION_EXPIRED';
    });
    const { status, error } = await refusalOf(() => ({ build }));
    expect([status, error]).toEqual([400, expect.stringMatching(/expired/i)]);
  });

  it('refuses a transaction that the ledger refuses, with the ledger’s own text', async () => {
    const { status, error, digest } = await refusalOf(() => ({ gasPrice: 1 }));
    expect([status, error]).toEqual([400, expect.stringContaining('under reference gas price')]);
    expect(await system.control.submissionsOf(digest)).toBe(1);
  });

  it('refuses stale objects of the sender, before the sponsor signs', async () => {
    const user = new Ed25519Keypair();
    await system.control.mint(user.toIotaAddress(), 1_000_000);
    const coins = await system.ledger.getCoins({ owner: user.toIotaAddress() });
    const { coinObjectId: objectId, version, digest } = coins.data[0]!;
    const spend: TransactionOptions = {
      user,
      build: (tx) => tx.transferObjects([tx.objectRef({ objectId, version, digest })], '0x7'),
    };
    const { answer } = await sponsor(system.application, spend);
    expect(answer.body.effects?.status.status).toBe('success');
    await system.control.untilShown();
    const again = await refusalOf(() => ({
      ...spend,
      build: (tx) => tx.transferObjects([tx.objectRef({ objectId, version, digest })], '0x8'),
    }));
    expect(again).toMatchObject({
      status: 400,
      error: expect.stringContaining('not available for consumption'),
    });
    expect(await system.control.submissionsOf(again.digest)).toBe(0);
  });

  it('refuses an unknown reservation', async () => {
    const reservation = await reserved(system.application);
    const transaction = await buildSponsored(system.application, reservation);
    const unknown = { reservation_id: reservation.reservation_id + 64 * 1000 };
    const answer = await executeTx(system.application, unknown, transaction);
    expect([answer.status, answer.body.error]).toEqual([
      400,
      `Reservation ${unknown.reservation_id} not found`,
    ]);
    expect((await executeTx(system.application, reservation, transaction)).status).toBe(200);
  });

  it('refuses a reservation that another transaction used, while it runs and afterwards', async () => {
    const reservation = await reserved(system.application);
    const first = await buildSponsored(system.application, reservation);
    const second = await buildSponsored(system.application, reservation);
    const answers = await Promise.all(
      [first, second].map((transaction) => executeTx(system.application, reservation, transaction)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    const loser = answers[0]!.status === 400 ? first : second;
    const expected = `Reservation ${reservation.reservation_id} is already used by another transaction`;
    const later = await executeTx(system.application, reservation, loser);
    for (const { body } of [answers.find(({ status }) => status === 400)!, later]) {
      expect(body.error).toBe(expected);
    }
    expect(await system.control.submissionsOf(loser.digest)).toBe(0);
  });

  it('does not lose or move a coin in all these refusals', async () => {
    expect(await system.differences()).toEqual([]);
  });
});
