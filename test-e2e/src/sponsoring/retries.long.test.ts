import { request } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { buildSponsored, executeTx, reserved, sponsor } from '../support/application.js';
import { useSystem } from '../support/use-system.js';

const system = useSystem({
  gateways: 2,
  env: { EXECUTE_WAIT_MS: '5000', LOCAL_EXECUTION_WAIT_MS: '1500', OUTCOME_RETENTION_MS: '4000' },
});
afterEach(() => system.control.clearFaults());

describe('the same call again', () => {
  it('gets the same answer while the first runs and afterwards, with one submission and one charge', async () => {
    const [one, two] = system.applications;
    const reservation = await reserved(one!);
    const transaction = await buildSponsored(one!, reservation);
    await system.control.fault({
      kind: 'latency',
      ms: 300,
      times: 1,
      method: 'iota_executeTransactionBlock',
    });
    const answers = await Promise.all(
      [one, two, one, two, one].map((gateway) => executeTx(gateway!, reservation, transaction)),
    );
    answers.push(await executeTx(two!, reservation, transaction));
    for (const answer of answers) {
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual(answers[0]!.body);
    }
    expect(await system.control.submissionsOf(transaction.digest)).toBe(1);
    expect(await system.differences()).toEqual([]);
  });

  it('is answered from the ledger after the reservation has been deleted', async () => {
    const { application } = system;
    const { reservation, transaction, answer } = await sponsor(application);
    await system.untilForgotten(reservation.reservation_id);
    const later = await executeTx(application, reservation, transaction);
    expect(later.body).toEqual(answer.body);
    expect(await system.control.submissionsOf(transaction.digest)).toBe(1);
  });

  it('gets the result after the client has disconnected', async () => {
    const { application } = system;
    const reservation = await reserved(application);
    const transaction = await buildSponsored(application, reservation);
    const method = 'iota_executeTransactionBlock';
    await system.control.fault({ kind: 'latency', ms: 500, times: 1, method });
    const before = await system.control.requestsOf(method);
    const body = JSON.stringify({ ...reservation, ...transaction, bytes: undefined });
    const hangUp = request(`${application.url}/v1/execute_tx`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${application.token}`,
        'content-type': 'application/json',
      },
    });
    hangUp.on('error', () => undefined);
    hangUp.end(body);
    await system.until(async () => (await system.control.requestsOf(method)) > before);
    const closed = new Promise((resolve) => hangUp.once('close', resolve));
    hangUp.destroy();
    await closed;
    const answer = await executeTx(application, reservation, transaction);
    expect(answer.body.effects?.status.status).toBe('success');
    expect(await system.control.submissionsOf(transaction.digest)).toBe(1);
  });
});

describe('an outcome that is not known', () => {
  it.each([
    ['the reply is lost after execution', { kind: 'loseReply' }],
    ['a transient error after execution', { kind: 'transient', when: 'after' }],
    ['a transient error before execution', { kind: 'transient', when: 'before' }],
  ])('is found when %s', async (_what, fault) => {
    await system.control.fault({ ...fault, times: 1 });
    const { answer } = await sponsor(system.application);
    expect(answer.body.effects?.status.status).toBe('success');
    expect(await system.differences()).toEqual([]);
  });

  it('is reported with 503 and the digest when the wait ends, and the repeated call gets the result', async () => {
    const { application } = system;
    const reservation = await reserved(application);
    const transaction = await buildSponsored(application, reservation);
    const method = 'iota_executeTransactionBlock';
    const before = (await system.totals()).coins.available + 1n;
    await system.control.fault({ kind: 'latency', ms: 8_000, times: 1, method });
    const waited = await executeTx(application, reservation, transaction);
    expect(waited.status).toBe(503);
    expect(Number(waited.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(waited.body.error).toContain(transaction.digest);
    // No other caller gets the coin while the first transaction may still land.
    expect((await system.totals()).coins.executing).toBe(1n);
    expect((await system.totals()).coins.available).toBe(before - 1n);
    await system.until(
      async () => (await executeTx(application, reservation, transaction)).status === 200,
    );
    expect(await system.differences()).toEqual([]);
  });

  it.each([
    ['equivocated', 'equivocated until the next epoch'],
    ['missing', 'Could not find the referenced object'],
  ])(
    'keeps the coin in quarantine after an object error (%s) until the epoch ends, and is not a refusal before that',
    async (preset, words) => {
      const { application } = system;
      await system.control.fault({ kind: 'refuse', preset });
      const { answer, reservation, transaction } = await sponsor(application);
      expect([answer.status, answer.body.error]).toEqual([
        503,
        expect.stringContaining(transaction.digest),
      ]);
      expect((await system.totals()).coins.quarantined).toBe(BigInt(reservation.gas_coins.length));
      expect(await system.differences()).toEqual([]);
      await system.control.clearFaults();
      await system.control.advanceEpoch();
      const submissions = await system.control.submissionsOf(transaction.digest);
      await system.until(async () => (await system.totals()).coins.quarantined === 0n);
      const repeated = await executeTx(application, reservation, transaction);
      expect([repeated.status, repeated.body.error]).toEqual([400, expect.stringContaining(words)]);
      // A client that receives a refusal does not find the transaction executed later.
      expect(await system.control.submissionsOf(transaction.digest)).toBe(submissions);
      await expect(
        system.ledger.getTransactionBlock({ digest: transaction.digest }),
      ).rejects.toThrow(/could not find/i);
      expect((await sponsor(application)).answer.status).toBe(200);
      expect(await system.differences()).toEqual([]);
    },
  );
});

describe('waitForLocalExecution', () => {
  const later = { requestType: 'waitForLocalExecution' };

  it('answers when the node that serves reads shows the transaction', async () => {
    const { application } = system;
    const reservation = await reserved(application);
    const transaction = await buildSponsored(application, reservation);
    await system.control.fault({ kind: 'lag', ms: 600, method: 'iota_getTransactionBlock' });
    const startedAt = Date.now();
    const answer = await executeTx(application, reservation, transaction, later);
    expect(answer.status).toBe(200);
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(550);
    const { digest } = transaction;
    expect((await system.ledger.getTransactionBlock({ digest })).digest).toBe(digest);
  });

  it('returns the effects even if reads lag for too long', async () => {
    const { application } = system;
    const reservation = await reserved(application);
    const transaction = await buildSponsored(application, reservation);
    await system.control.fault({ kind: 'lag', ms: 60_000, method: 'iota_getTransactionBlock' });
    const answer = await executeTx(application, reservation, transaction, later);
    expect(answer.body.effects?.status.status).toBe('success');
  });

  it('does not delay waitForEffectsCert', async () => {
    const method = 'iota_getTransactionBlock';
    await system.control.fault({ kind: 'lag', ms: 60_000, method });
    const before = await system.control.requestsOf(method);
    const { answer } = await sponsor(system.application);
    expect(answer.status).toBe(200);
    expect(await system.control.requestsOf(method)).toBe(before);
  });
});
