import { describe, expect, it } from '@jest/globals';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { buildSponsored, executeTx, reserved, sponsor } from '../support/application.js';
import { netGas } from '../support/net-gas.js';
import { system } from '../support/systems/usual-system.js';

describe('sponsoring a transaction', () => {
  it.each(['waitForEffectsCert', 'waitForLocalExecution'])(
    'executes for a user without objects, with %s, and charges the sponsor to the last unit',
    async (requestType) => {
      const { application, ledger } = system;
      const user = new Ed25519Keypair();
      const before = await system.settledTotals();
      const reservation = await reserved(application);
      expect(reservation.sponsor_address).toBe(system.sponsor);
      expect(Number.isSafeInteger(reservation.reservation_id)).toBe(true);
      const transaction = await buildSponsored(application, reservation, { user });

      const answer = await executeTx(application, reservation, transaction, { requestType });

      expect(answer.status).toBe(200);
      expect(Object.keys(answer.body).sort()).toEqual(['effects', 'error']);
      expect(answer.body.error).toBeNull();
      expect(answer.body.effects?.status).toEqual({ status: 'success' });
      await system.control.untilShown();
      const onLedger = await ledger.getTransactionBlock({
        digest: transaction.digest,
        options: { showEffects: true, showInput: true, showBalanceChanges: true },
      });
      expect(answer.body.effects).toEqual(onLedger.effects);
      expect(onLedger.transaction?.data.gasData.owner).toBe(system.sponsor);
      expect((await ledger.getBalance({ owner: user.toIotaAddress() })).totalBalance).toBe('0');

      const charged = netGas(onLedger.effects!);
      expect(onLedger.balanceChanges).toEqual([
        expect.objectContaining({ amount: String(-charged) }),
      ]);
      const after = await system.settledTotals();
      expect(after.balance).toBe(before.balance - charged);
      expect(after.coins).toBe(before.coins);
      expect(after.balance).toBe(
        BigInt((await ledger.getBalance({ owner: system.sponsor })).totalBalance),
      );
    },
  );

  it('finds the coin at its new version: the same coin pays twice', async () => {
    const { application } = system;
    for (let i = 0; i < 3; i++) {
      const { answer } = await sponsor(application);
      expect(answer.body.effects?.status.status).toBe('success');
    }
    expect(await system.differences()).toEqual([]);
  });

  it('needs one write to the ledger and no read, and loses no coin if reads lag behind', async () => {
    const { application, control } = system;
    const reservation = await reserved(application);
    const transaction = await buildSponsored(application, reservation);
    const methods = ['iota_executeTransactionBlock', 'iota_multiGetObjects', 'iota_getObject'];
    const count = () => Promise.all(methods.map((method) => control.requestsOf(method)));
    const before = await count();
    await control.fault({ kind: 'lag', ms: 2_000 });
    const answer = await executeTx(application, reservation, transaction);
    expect(answer.body.effects?.status.status).toBe('success');
    const after = await count();
    expect(after.map((now, index) => now - before[index]!)).toEqual([1, 0, 0]);
    await control.clearFaults();
    expect(await system.differences()).toEqual([]);
  });

  it('pays with several coins if no single one covers the budget, and smashes them into one', async () => {
    const { application } = system;
    const before = await system.settledTotals();
    const gasBudget = 1_500_000_000;
    const { reservation, answer } = await sponsor(application, { gasBudget });
    expect(reservation.gas_coins.length).toBeGreaterThan(1);
    expect(answer.body.effects?.status.status).toBe('success');
    const after = await system.settledTotals();
    expect(after.coins).toBe(before.coins - reservation.gas_coins.length + 1);
    expect(await system.differences()).toEqual([]);
  });

  it('answers a transaction that failed on the ledger with its effects: the gas was spent', async () => {
    const { application, demo } = system;
    const { answer, transaction } = await sponsor(application, {
      build: (tx) => demo.abort(tx, 7),
    });
    expect(answer.status).toBe(200);
    expect(answer.body.error).toBeNull();
    expect(answer.body.effects?.status).toMatchObject({
      status: 'failure',
      error: expect.stringContaining('7'),
    });
    expect(await system.control.submissionsOf(transaction.digest)).toBe(1);
    expect(await system.differences()).toEqual([]);
  });
});
