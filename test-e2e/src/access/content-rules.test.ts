import { Transaction } from '@iota/iota-sdk/transactions';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  buildSponsored,
  call,
  executeTx,
  type Reservation,
  reserved,
  type SignedTransaction,
  sponsor,
} from '../support/application.js';
import { buildCar } from '../support/ledger-user.js';
import { setRules, system, untilAudited } from '../support/systems/rules-system.js';

const U64_MAX = 2n ** 64n - 1n;
const TOKEN = '0xdec0::token::TOKEN';
const DRY_RUN = 'iota_dryRunTransactionBlock';
const GET_FUNCTION = 'iota_getNormalizedMoveFunction';

const mint = (amount: bigint, to: string) => (tx: Transaction) => {
  const target = '0xdec0::token::mint';
  tx.moveCall({ target, arguments: [tx.pure.u64(amount), tx.pure.address(to)] });
};
const sponsored = async (build: (tx: Transaction) => void) => {
  const { answer } = await sponsor(system.application, { build });
  return answer.status;
};
const sponsorAddress = async () => (await reserved(system.application)).sponsor_address;
const requestsOf = (method: string) => system.control.requestsOf(method);

describe('a rule on arguments', () => {
  const rule = (condition: string, action = 'allow') => `
    - name: little
      ${condition}
      action: ${action}`;
  const LITTLE = "argument: { function: '0xdec0::token::mint', index: 0, value: '<=1000' }";

  it('sponsors what it allows, to the last unit of a u64, and nothing else', async () => {
    await setRules(`  access-policy: deny-all\n  rules:${rule(LITTLE)}`);
    const statuses = [];
    for (const amount of [0n, 1_000n, 1_001n, U64_MAX]) {
      statuses.push(await sponsored(mint(amount, '0xb0b')));
    }
    expect(statuses).toEqual([200, 200, 403, 403]);
    expect(await sponsored((tx) => buildCar(tx, 'Mini', '0xb0b'))).toBe(403);
    const exact = LITTLE.replace("'<=1000'", `'=${U64_MAX}'`);
    await setRules(`  access-policy: deny-all\n  rules:${rule(exact)}`);
    expect(await sponsored(mint(U64_MAX, '0xb0b'))).toBe(200);
    expect(await sponsored(mint(U64_MAX - 1n, '0xb0b'))).toBe(403);
  });

  it('decides by text and addresses, also in expressions', async () => {
    const cars = `argument:
        - { function: '0xdec0::garage::build_car', index: 0, value: [Mini, Maxi] }
        - { function: '0xdec0::garage::build_car', index: 1, value: '0xb0b' }`;
    await setRules(`  access-policy: deny-all\n  rules:${rule(cars)}`);
    const statuses = [];
    for (const [model, owner] of [
      ['Mini', '0xb0b'],
      ['Midi', '0xb0b'],
      ['Maxi', '0xa'],
    ] as const) {
      statuses.push(await sponsored((tx) => buildCar(tx, model, owner)));
    }
    expect(statuses).toEqual([200, 403, 403]);
    const expression = `expression: 'onlyCalls(tx, ["0xdec0::token::mint"]) && tx.calls.all(c, c.args[0].value in [7, ${U64_MAX}])'`;
    await setRules(`  access-policy: deny-all\n  rules:${rule(expression)}`);
    expect(await sponsored(mint(U64_MAX, '0xb0b'))).toBe(200);
    expect(await sponsored(mint(8n, '0xb0b'))).toBe(403);
  });

  it('is undecided about results of commands and functions that do not exist: it does not allow, and it denies', async () => {
    const drive = "argument: { function: '0xdec0::garage::give_car', index: 0, value: '0xa' }";
    const giveNew = (tx: Transaction) => {
      const [car] = tx.moveCall({
        target: '0xdec0::garage::new_car',
        arguments: [tx.pure.string('Mini')],
      });
      tx.moveCall({
        target: '0xdec0::garage::give_car',
        arguments: [car!, tx.pure.address('0xb')],
      });
    };
    await setRules(`  access-policy: allow-all\n  rules:${rule(drive, 'deny')}`);
    expect(await sponsored(giveNew)).toBe(403);
    await setRules(`  access-policy: allow-all\n  rules:${rule(LITTLE, 'deny')}`);
    expect(await sponsored(giveNew)).toBe(200);
  });

  it('reads a function’s signature once, and none for transactions that do not call it', async () => {
    await setRules(`  access-policy: allow-all\n  rules:${rule(LITTLE, 'deny')}`);
    const gateway = system.services('gateway')[0]!.url;
    const application = { ...system.application, url: gateway };
    const mintAt = (amount: bigint) => sponsor(application, { build: mint(amount, '0xb0b') });
    expect((await mintAt(5_000n)).answer.status).toBe(200);
    const before = await requestsOf(GET_FUNCTION);
    for (const amount of [5_001n, 5_002n, 1n]) await mintAt(amount);
    await sponsor(application);
    // The SDK asks for it too, once for each transaction that is built.
    expect((await requestsOf(GET_FUNCTION)) - before).toBeLessThanOrEqual(4);
  });

  it('answers 503 while no node tells the signature, keeps the reservation, and allows afterwards', async () => {
    const other = "argument: { function: '0xdec0::garage::burn', index: 0, value: '<=10' }";
    await setRules(`  access-policy: deny-all\n  rules:${rule(other)}`);
    const { application } = system;
    const reservation = await reserved(application);
    const burn = await buildSponsored(application, reservation, {
      build: (tx) => tx.moveCall({ target: '0xdec0::garage::burn', arguments: [tx.pure.u64(1n)] }),
    });
    // Over gRPC, the package tells it.
    for (const method of [GET_FUNCTION, 'iota_multiGetObjects']) {
      await system.control.replyInstead({ status: 500, method });
    }
    const undecided = await executeTx(application, reservation, burn);
    await system.control.clearFaults();
    expect([undecided.status, undecided.headers.get('error-code')]).toEqual([
      503,
      'ACCESS_UNDECIDED',
    ]);
    await system.until(
      async () => (await executeTx(application, reservation, burn)).status === 200,
    );
  });

  it('is explained with the values that the ledger’s signature gives', async () => {
    await setRules(`  access-policy: deny-all\n  rules:${rule(LITTLE)}`);
    const { application } = system;
    const reservation = await reserved(application);
    const { tx_bytes } = await buildSponsored(application, reservation, { build: mint(7n, '0xb') });
    const explained = await call(application, 'POST', '/v1/explain_access', {
      token: 'default',
      tx_bytes,
    });
    expect(explained.body.result).toMatchObject({ outcome: 'allow', rule: 'little' });
  });
});

describe('a rule on balance changes', () => {
  const user = new Ed25519Keypair();
  const counting = new Ed25519Keypair();
  let [sponsorOf, counter] = ['', ''];
  beforeAll(async () => {
    await setRules('  access-policy: allow-all');
    sponsorOf = await sponsorAddress();
    counter = await system.control.counterId();
    await system.control.mint(counting.toIotaAddress(), 1_000_000_000);
  });
  const rules = (more = '') => `  access-policy: deny-all
  rules:
    - name: pay
      move-call-function: '0xdec0::token::mint'
      balance-changes:
        - { owner: sponsor, coin-type: '${TOKEN}', receives: '>=1000' }
        - { only: [sender, sponsor] }${more}
      action: allow`;

  it('sponsors transactions that pay the sponsor, without the gas that it pays', async () => {
    await setRules(rules());
    const statuses = [];
    for (const [amount, to] of [
      [1_000n, sponsorOf],
      [999n, sponsorOf],
      [1_000n, '0xb0b'],
    ] as const) {
      statuses.push(await sponsored(mint(amount, to)));
    }
    expect(statuses).toEqual([200, 403, 403]);
    const both = (tx: Transaction) => {
      mint(1_000n, sponsorOf)(tx);
      mint(1n, '0xb0b')(tx);
    };
    expect(await sponsored(both)).toBe(403);
    const decisions = await untilAudited(({ rule }) => rule === 'pay', 1);
    expect(decisions.map(({ stage, outcome }) => `${stage} ${outcome}`)).toEqual(['execute allow']);
  });

  it('dry-runs once, and only if every other condition holds', async () => {
    await setRules(rules());
    const before = await requestsOf(DRY_RUN);
    expect(await sponsored((tx) => buildCar(tx, 'Mini', '0xb0b'))).toBe(403);
    expect((await requestsOf(DRY_RUN)) - before).toBe(0);
    expect(await sponsored(mint(1_000n, sponsorOf))).toBe(200);
    expect((await requestsOf(DRY_RUN)) - before).toBe(1);
  });

  it('answers 503 while no node dry-runs, and sponsors nothing', async () => {
    await setRules(rules());
    await system.control.replyInstead({ status: 500, method: DRY_RUN });
    const { answer, transaction } = await sponsor(system.application, {
      build: mint(1_000n, sponsorOf),
      user,
    });
    await system.control.clearFaults();
    expect([answer.status, answer.headers.get('error-code')]).toEqual([503, 'ACCESS_UNDECIDED']);
    expect(await system.control.submissionsOf(transaction.digest)).toBe(0);
    await system.until(async () => (await sponsored(mint(1_000n, sponsorOf))) === 200);
  });

  const payCounted = (tx: Transaction) => {
    const target = '0xdec0::garage::count_value';
    const [amount] = tx.moveCall({ target, arguments: [tx.object(counter)] });
    tx.moveCall({
      target: '0xdec0::token::mint',
      arguments: [amount!, tx.pure.address(sponsorOf)],
    });
  };

  /** Presents a payment of what is counted, which grows by one between the dry run and the execution. */
  async function payMoreThanForecast(
    rulesBy: (counted: string) => string,
    present: (reservation: Reservation, payment: SignedTransaction) => Promise<void>,
  ): Promise<string> {
    const { application, control, ledger } = system;
    const count = new Transaction();
    count.moveCall({ target: '0xdec0::garage::count', arguments: [count.object(counter)] });
    count.setSender(counting.toIotaAddress());
    const { bytes, signature } = await count.sign({ client: ledger, signer: counting });
    const { data } = await ledger.getObject({ id: counter, options: { showContent: true } });
    const { fields } = data!.content as unknown as { fields: { value: string } };
    await setRules(rulesBy(fields.value));
    const reservation = await reserved(application);
    const payment = await buildSponsored(application, reservation, { build: payCounted });
    // The node that forecasts executes a minute after the validators.
    await control.behaveLike({ lagMs: 60_000 });
    await ledger.executeTransactionBlock({ transactionBlock: bytes, signature });
    await present(reservation, payment);
    await control.behaveLike({ lagMs: 0 });
    return payment.digest;
  }

  const untilCompared = (digests: readonly string[]) =>
    untilAudited(
      ({ stage, digest }) => stage === 'executed' && digests.includes(digest),
      digests.length,
    );

  async function countMissed(): Promise<number> {
    const metrics = await Promise.all(
      system.services('gateway').map(async ({ metricsUrl }) => (await fetch(metricsUrl)).text()),
    );
    const missed = metrics
      .join('\n')
      .matchAll(/access_forecasts_missed_total\{[^}]*outcome="deny"[^}]*\} (\d+)$/gm);
    return [...missed].reduce((sum, [, one]) => sum + Number(one), 0);
  }

  it('is asked again about the effects: what a shared object has changed since the dry run is audited', async () => {
    const atMost = (counted: string) => `  access-policy: deny-all
  rules:
    - name: as counted
      move-call-function: ['0xdec0::garage::count_value', '0xdec0::token::mint']
      balance-changes: { owner: sponsor, coin-type: '${TOKEN}', receives: '<=${counted}' }
      action: allow`;
    const digest = await payMoreThanForecast(atMost, async (reservation, payment) => {
      expect((await executeTx(system.application, reservation, payment)).status).toBe(200);
    });
    const audited = await untilCompared([digest]);
    expect(audited).toMatchObject([{ rule: 'as counted', outcome: 'deny' }]);
    expect(await countMissed()).toBe(1);
  });

  it('is asked again too if it denies and the caller has left; the third time refuses the token until it is resumed', async () => {
    const { application, control } = system;
    const denyMore = (counted: string) => `  access-policy: allow-all
  rules:
    - name: no more than counted
      balance-changes: { owner: sponsor, coin-type: '${TOKEN}', receives: '>${counted}' }
      action: deny`;
    const digests: string[] = [];
    for (let time = 0; time < 2; time++) {
      const digest = await payMoreThanForecast(denyMore, async (reservation, payment) => {
        const leaving = new AbortController();
        const body = {
          reservation_id: reservation.reservation_id,
          tx_bytes: payment.tx_bytes,
          user_sig: payment.user_sig,
        };
        const answer = call(application, 'POST', '/v1/execute_tx', body, {}, leaving.signal);
        const left = answer.catch(() => null);
        await system.until(async () => (await control.submissionsOf(payment.digest)) > 0);
        leaving.abort();
        await left;
      });
      digests.push(digest);
    }
    const denied = { rule: 'no more than counted', outcome: 'deny' };
    expect(await untilCompared(digests)).toMatchObject([denied, denied]);
    expect(await countMissed()).toBe(3);
    await system.until(async () => {
      const { answer } = await sponsor(application, { build: payCounted });
      return answer.headers.get('error-code') === 'PAUSED';
    });
    const { body } = await call(application, 'GET', '/v1/pauses');
    expect(body).toMatchObject({ result: { paused: [{ scope: 'token default by forecast' }] } });
    await call(application, 'POST', '/v1/resume', { token: 'default' });
    await system.until(async () => (await sponsored(mint(0n, sponsorOf))) === 200);
  });
});
