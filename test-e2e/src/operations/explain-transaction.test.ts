import { describe, expect, it } from '@jest/globals';
import { digestInBase64, type ExplainResponse } from '@forecourt/contracts';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { buildSponsored, call, executeTx, reserved, sponsor } from '../support/application.js';
import { system } from '../support/systems/inspected-system.js';
import { buildCar, createLedgerUser } from '../support/ledger-user.js';
import { netGas } from '../support/net-gas.js';
import { applicationOf } from '../support/tokens-file.js';

type Explanation = ExplainResponse['result'];

const shop = () => applicationOf('shop', system.application);
const admin = () => applicationOf('admin', system.application);
const ask = (query: string) => call(admin(), 'GET', `/v1/explain?${query}`);

async function explain(query: string): Promise<Explanation> {
  const answer = await ask(query);
  expect([answer.status, answer.body.error]).toEqual([200, undefined]);
  const explanation = answer.body.result as unknown as Explanation;
  expect(explanation.meaning).toMatch(/\.$/);
  expect(explanation.advice).toMatch(/\.$/);
  return explanation;
}
const byDigest = (digest: string) => explain(`digest=${encodeURIComponent(digest)}`);
const byReservation = ({ reservation_id: id }: { reservation_id: number }) =>
  explain(`reservation_id=${id}`);

describe('an explained transaction', () => {
  it('begins as a reservation, which the caller may release', async () => {
    const reservation = await reserved(shop());
    const open = await byReservation(reservation);
    expect(open).toMatchObject({
      verdict: 'reserved',
      digest: null,
      ledger: null,
      job: null,
      reservation: { caller: 'shop', gas_coins: reservation.gas_coins, claims: 0 },
    });
    const { reservation_id } = reservation;
    await call(shop(), 'POST', '/v1/release_gas', { reservation_id });
    expect((await byReservation(reservation)).verdict).toBe('released');
  });

  it('is found by its digest in base58 and base64, and by its reservation, if it succeeded', async () => {
    const { transaction, reservation, answer } = await sponsor(shop());
    // The queue removes a job when the executor has ended it, which is after the answer.
    await system.until(async () => (await byDigest(transaction.digest)).job === null);
    await system.control.untilShown();
    const explained = await byDigest(transaction.digest);
    expect(explained).toMatchObject({
      verdict: 'succeeded',
      digest: transaction.digest,
      reservation: { reservation_id: reservation.reservation_id, caller: 'shop' },
      ledger: {
        status: 'success',
        gas_charged: String(netGas(answer.body.effects!)),
        gas_owner: system.sponsor,
      },
      job: null,
    });
    expect(explained.decisions).toMatchObject([
      { stage: 'execute', outcome: 'allow', caller: 'shop', digest: transaction.digest },
    ]);
    const others = [
      await byDigest(digestInBase64(transaction.digest)),
      await explain(`digest=${digestInBase64(transaction.digest)}`),
      await byReservation(reservation),
    ];
    for (const { verdict, digest } of others) {
      expect([verdict, digest]).toEqual(['succeeded', transaction.digest]);
    }
  });

  it('has the ledger’s error if it failed in Move', async () => {
    const reservation = await reserved(shop());
    const build = (tx: Parameters<typeof system.demo.abort>[0]) => system.demo.abort(tx, 7);
    const transaction = await buildSponsored(shop(), reservation, { build, gasBudget: 10_000_000 });
    await executeTx(shop(), reservation, transaction);
    await system.control.untilShown();
    const explained = await byDigest(transaction.digest);
    expect(explained.verdict).toBe('failed');
    expect(explained.meaning).toMatch(/It failed: .*7/);
  });

  it('has the ledger’s reason if it was refused, until the reservation is used again', async () => {
    await system.control.fault({ kind: 'refuse', preset: 'gas-price', times: 1 });
    const reservation = await reserved(shop());
    const first = await buildSponsored(shop(), reservation);
    const answer = await executeTx(shop(), reservation, first);
    expect(answer.status).toBe(400);
    const refused = await byDigest(first.digest);
    expect(refused).toMatchObject({ verdict: 'refused', ledger: null });
    expect(refused.meaning).toContain(answer.body.error!);
    expect((await byReservation(reservation)).verdict).toBe('refused');
    const second = await buildSponsored(shop(), reservation, { user: new Ed25519Keypair() });
    expect((await executeTx(shop(), reservation, second)).status).toBe(200);
    const replaced = await byDigest(first.digest);
    expect(replaced.verdict).toBe('replaced');
    expect(replaced.meaning).toContain(second.digest);
  });

  it('has reason and end in quarantine, and afterwards what ended it', async () => {
    await system.control.fault({ kind: 'refuse', preset: 'equivocated', times: 1 });
    const reservation = await reserved(shop());
    const transaction = await buildSponsored(shop(), reservation);
    const answer = executeTx(shop(), reservation, transaction);
    await system.until(async () => (await byReservation(reservation)).verdict === 'quarantined');
    // The queue counts an attempt when the executor has ended it, which is after the coins enter quarantine.
    await system.until(async () => ((await byDigest(transaction.digest)).job?.attempts ?? 0) >= 1);
    const quarantined = await byDigest(transaction.digest);
    expect(quarantined.verdict).toBe('quarantined');
    expect(quarantined.meaning).toMatch(
      /once epoch \d+ is over \(the ledger is in epoch \d+ now\)/,
    );
    await system.control.advanceEpoch();
    await system.until(async () => (await byDigest(transaction.digest)).verdict !== 'quarantined');
    const { status, body } = await answer;
    expect([status, body.error]).toEqual([400, expect.stringContaining('equivocated')]);
    await system.control.untilShown();
    const ended = await byDigest(transaction.digest);
    expect(ended.verdict).toBe('refused');
    const mover = ended.reservation!.refusal!.moved_on_by!;
    expect(ended.meaning).toContain(mover);
    expect((await byDigest(mover)).verdict).toBe('maintenance');
  });

  it('has the time of its release if its gateway died after the claim', async () => {
    const { application } = system;
    const reservation = await reserved(application);
    const transaction = await buildSponsored(application, reservation);
    await system.claimWithoutJob(reservation, transaction);
    const claimed = await byDigest(transaction.digest);
    expect(claimed).toMatchObject({ verdict: 'claimed', job: null });
    expect(claimed.advice).toMatch(/releases the claim after/);
    await system.until(
      async () => (await byDigest(transaction.digest)).reservation!.state === 'reserved',
    );
    expect((await byDigest(transaction.digest)).verdict).toBe('replaced');
  });

  it('is known from the access audit if the rules or a budget refused it', async () => {
    const poor = applicationOf('poor', system.application);
    const { transaction, answer } = await sponsor(poor);
    expect(answer.status).toBe(429);
    // The audit is written beside the answer.
    await system.until(async () => (await ask(`digest=${transaction.digest}`)).status === 200);
    const denied = await byDigest(transaction.digest);
    expect(denied).toMatchObject({ verdict: 'denied', reservation: null, ledger: null });
    expect(denied.meaning).toContain('poor');
  });

  it('is reported as not sponsored if its sender paid the gas', async () => {
    const user = await createLedgerUser(system.ledger, system.control);
    const { digest } = await user.run((tx) => buildCar(tx, 'Mini', user.address));
    expect(await byDigest(digest)).toMatchObject({
      verdict: 'not_sponsored',
      reservation: null,
      ledger: { gas_owner: user.address, sender: user.address },
    });
  });
});

describe('an explanation', () => {
  const unknown = 'HWKo1RcVdQgCSnFqRyfJdSgsxGfKjt2jELNFbQEyvCJ9';

  it('is refused for an unknown transaction, with an error that says so', async () => {
    const answer = await ask(`digest=${unknown}`);
    expect([answer.status, answer.headers.get('error-code')]).toEqual([404, 'TRANSACTION_UNKNOWN']);
    expect(answer.body.error).toMatch(
      new RegExp(`^No record of transaction ${unknown}: the ledger has not executed it`),
    );
    const none = await ask('reservation_id=6400');
    expect([none.status, none.body.error]).toEqual([
      404,
      expect.stringContaining('reservation 6400: it never existed here'),
    ]);
  });

  it('answers 503 for a transaction that only the ledger knows, while the ledger is unreachable', async () => {
    await system.control.fault({ kind: 'down' });
    try {
      const answer = await ask(`digest=${unknown}`);
      expect([answer.status, answer.headers.get('error-code')]).toEqual([
        503,
        'LEDGER_UNREACHABLE',
      ]);
    } finally {
      await system.control.clearFaults();
    }
  });

  it('is available to operators only, for one transaction or reservation at a time', async () => {
    const path = `/v1/explain?digest=${unknown}`;
    const answer = await call(shop(), 'GET', path);
    expect([answer.status, answer.body.error]).toEqual([403, 'Token lacks the role operator']);
    expect((await call({ ...admin(), token: '' }, 'GET', path)).status).toBe(401);
    for (const query of [
      '',
      'digest=x',
      'reservation_id=x',
      `digest=${unknown}&reservation_id=64`,
    ]) {
      const wrong = await ask(query);
      expect([wrong.status, wrong.headers.get('error-code')]).toEqual([400, 'INVALID_REQUEST']);
    }
  });
});
