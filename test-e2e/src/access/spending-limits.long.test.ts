import { describe, expect, it } from '@jest/globals';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import {
  type Answer,
  buildSponsored,
  executeTx,
  reserved,
  sponsor,
} from '../support/application.js';
import { netGas } from '../support/net-gas.js';
import {
  COINS,
  GATEWAYS,
  setRules,
  system,
  untilAudited,
} from '../support/systems/rules-system.js';

const EXECUTE = 'iota_executeTransactionBlock';
const COIN_DEPOSIT = 980_400n;
const COMPUTATION = 1_000_000n;

const chargeOf = ({ body }: Answer) => netGas(body.effects!);

describe('a limit on gas', () => {
  it('is spent exactly by ten gateways at once, and no unit more is ever held', async () => {
    await setRules(`  access-policy: deny-all
  rules:
    - name: forty
      gas-usage: { value: '<=400000000', window: 1 day }
      action: allow`);
    const users = Array.from({ length: 55 }, (_, i) => system.applications[i % GATEWAYS]!);
    await system.untilAvailable(COINS);
    const reservations = await Promise.all(users.map((application) => reserved(application)));
    const transactions = await Promise.all(
      reservations.map((reservation, i) => buildSponsored(users[i]!, reservation)),
    );
    await system.control.fault({ kind: 'latency', ms: 6_000, method: EXECUTE });
    const answers = await Promise.all(
      reservations.map((reservation, i) => executeTx(users[i]!, reservation, transactions[i]!)),
    );
    await system.control.clearFaults();
    const allowed = answers.filter(({ status }) => status === 200);
    // All were decided before the first one executed: 40 budgets of 10 000 000 fit.
    expect(allowed).toHaveLength(40);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(15);
    const spent = allowed.reduce((sum, answer) => sum + chargeOf(answer), 0n);
    // The amount held now is the amount spent: the rest can be spent to the last unit, and no further.
    const left = 400_000_000n - spent;
    const reservation = await reserved(system.application, Number(left));
    // The last transaction pays with several coins: their deposits and the cost of making new ones are held
    // as well.
    const smashed = BigInt(reservation.gas_coins.length - 1);
    expect(smashed).toBeGreaterThan(0n);
    const replacing = smashed * (COIN_DEPOSIT + COMPUTATION);
    const lastFor = async (gasBudget: bigint) => {
      const options = { gasBudget: Number(gasBudget) };
      const transaction = await buildSponsored(system.application, reservation, options);
      return executeTx(system.application, reservation, transaction);
    };
    expect((await lastFor(left - replacing + 1n)).status).toBe(429);
    const last = await lastFor(left - replacing);
    expect(last.status).toBe(200);
    // The ledger refunds the deposits of smashed coins: that lowers its charge, but not the counted amount.
    expect(chargeOf(last)).toBeLessThan(0n);
    const cost = chargeOf(last) + replacing;
    const executor = await (await fetch(system.services('executor')[0]!.metricsUrl)).text();
    expect(executor).toContain(
      `gas_spent_smallest_unit_total{token="default",rule="forty"} ${spent + cost}`,
    );
    const decisions = await Promise.all(
      system.services('gateway').map(async ({ metricsUrl }) => (await fetch(metricsUrl)).text()),
    );
    const counted = decisions
      .join('\n')
      .matchAll(/access_decisions_total\{.*outcome="allow",rule="forty".*\} (\d+)/g);
    expect([...counted].reduce((sum, [, count]) => sum + Number(count), 0)).toBe(41);
    const forty = await untilAudited(({ rule }) => rule === 'forty', 41);
    expect(new Set(forty.map(({ digest }) => digest)).size).toBe(41);
  });

  it('applies to each user separately', async () => {
    await setRules(`  access-policy: deny-all
  rules:
    - move-call-function: '0x2::clock::timestamp_ms'
      gas-usage: { value: '<=0.0101 IOTA', window: 1 day, count-by: [sender-address] }
      action: allow`);
    const users = [new Ed25519Keypair(), new Ed25519Keypair()];
    const statuses = [];
    for (const user of [...users, ...users]) {
      statuses.push((await sponsor(system.application, { user })).answer.status);
    }
    expect(statuses).toEqual([200, 200, 429, 429]);
  });

  it('releases the amount that a refused transaction held', async () => {
    await setRules(`  access-policy: deny-all
  rules:
    - gas-usage: { value: '<=10000000', window: 2 days }
      action: allow`);
    await system.control.fault({ kind: 'refuse', preset: 'gas-price', times: 1 });
    const refused = await sponsor(system.application);
    expect(refused.answer.status).toBe(400);
    expect((await sponsor(system.application)).answer.status).toBe(200);
  });

  it('applies to the whole sponsor, regardless of the rules', async () => {
    await setRules(`  access-policy: allow-all
  sponsor-budget: { value: 10_100_000, window: 3 days }`);
    expect((await sponsor(system.application)).answer.status).toBe(200);
    const { answer } = await sponsor(system.applications[1]!);
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(3 * 86_000);
  });

  it('can count transactions', async () => {
    await setRules(`  access-policy: allow-all
  rules:
    - requests: { value: '>2', window: 1 day, count-by: [sender-address] }
      message: two a day
      action: deny`);
    const user = new Ed25519Keypair();
    const answers = [];
    for (let i = 0; i < 3; i++) {
      answers.push((await sponsor(system.applications[i]!, { user })).answer);
    }
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(answers[2]!.body.error).toBe('Limit of requests reached: two a day');
  });
});
