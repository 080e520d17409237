import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { Transaction } from '@iota/iota-sdk/transactions';
import { describe, expect, it } from '@jest/globals';
import { call, readClock } from '../support/application.js';
import {
  burnProgram,
  driveCarProgram,
  failProgram,
  readClockProgram,
} from '../support/raw-transaction.js';
import { type BuiltTx, buildTx, executeBuilt, kindBytes } from '../support/unpaid-transaction.js';
import { COINS, system } from '../support/systems/small-pool.js';

const user = new Ed25519Keypair();
const built = async (answer: ReturnType<typeof buildTx>) => {
  const { status, body } = await answer;
  expect([status, body.error]).toEqual([200, undefined]);
  return body.result as unknown as BuiltTx;
};

describe('POST /v1/build_tx', () => {
  it('returns a transaction that the user signs and execute_tx accepts, without a node at the caller', async () => {
    const { application } = system;
    const before = Date.now();
    const result = await built(buildTx(application, user, burnProgram(5_000)));
    const { gasData, sender } = Transaction.from(result.tx_bytes).getData();
    expect(sender).toBe(user.toIotaAddress());
    expect(gasData).toMatchObject({
      owner: result.sponsor_address,
      budget: String(result.gas_budget),
      price: '1000',
    });
    expect(await Transaction.from(result.tx_bytes).getDigest()).toBe(result.digest);
    expect(result.expires_at - before).toBeGreaterThan(50_000);
    const { status, body } = await executeBuilt(application, user, result);
    expect([status, body.effects!.status.status]).toEqual([200, 'success']);
    expect(body.effects!['transactionDigest']).toBe(result.digest);
    const { computationCost, storageCost } = body.effects!.gasUsed;
    expect(result.gas_budget).toBeGreaterThan(Number(computationCost) + Number(storageCost));
  });

  it('accepts a whole transaction instead and replaces its gas data', async () => {
    const tx = new Transaction();
    readClock(tx);
    tx.setSender(user.toIotaAddress());
    tx.setGasOwner('0x7');
    tx.setGasPayment([]);
    tx.setGasBudget(1);
    tx.setGasPrice(1);
    tx.setExpiration({ Epoch: 1_000_000 });
    const bytes = await tx.build({ client: system.ledger });
    const tx_bytes = Buffer.from(bytes).toString('base64');
    const over = { kind_bytes: null, tx_bytes, gas_budget: 5_000_000, reserve_duration_secs: 60 };
    const result = await built(buildTx(system.application, user, readClockProgram(), over));
    const data = Transaction.from(result.tx_bytes).getData();
    expect(data.expiration).toMatchObject({ Epoch: 1_000_000 });
    expect(data.gasData.budget).toBe('5000000');
    expect((await executeBuilt(system.application, user, result)).status).toBe(200);
  });

  it.each<[string, string, object]>([
    ['INVALID_REQUEST', 'one of kind_bytes and tx_bytes', { kind_bytes: null }],
    ['INVALID_REQUEST', 'one of kind_bytes and tx_bytes', { tx_bytes: 'AAAA' }],
    ['INVALID_REQUEST', 'sender', { sender: 'alice' }],
    ['INVALID_REQUEST', 'gas_budget', { gas_budget: 2_000_000_000 }],
    ['INVALID_TRANSACTION_BYTES', 'Invalid transaction bytes', { kind_bytes: 'AQID' }],
    [
      'GAS_COIN_USED',
      'gas coin is used',
      {
        kind_bytes: kindBytes({
          inputs: [],
          commands: [{ MergeCoins: { destination: { GasCoin: true }, sources: [] } }],
        }),
      },
    ],
    ['TRANSACTION_WOULD_FAIL', 'would fail', { kind_bytes: kindBytes(failProgram(7)) }],
  ])('refuses with %s and the message %p, and keeps nothing reserved', async (code, text, over) => {
    await system.untilAvailable(COINS);
    const answer = await buildTx(system.application, user, readClockProgram(), over);
    expect([answer.status, answer.headers.get('error-code')]).toEqual([400, code]);
    expect(answer.body.error).toContain(text);
    await system.untilAvailable(COINS);
  });

  it('answers 503 while the node may not show an object yet, then refuses the same call', async () => {
    await system.untilAvailable(COINS);
    const car = {
      objectId: '0xdead',
      version: 3,
      digest: '8Qq3Vb6pA2L7o1d8b9nZ4mX5cY6tR7wE8sU9iK1jHgFd',
    };
    const over = { kind_bytes: kindBytes(driveCarProgram(car, 1)) };
    const answers: Awaited<ReturnType<typeof buildTx>>[] = [];
    await system.until(async () => {
      answers.push(await buildTx(system.application, user, readClockProgram(), over));
      return answers.at(-1)!.status !== 503;
    });
    const refused = answers.pop()!;
    expect([refused.status, refused.headers.get('error-code')]).toEqual([400, 'REFUSED_BY_LEDGER']);
    expect(answers.length).toBeGreaterThan(0);
    for (const { headers } of answers) {
      expect([headers.get('error-code'), headers.has('retry-after')]).toEqual([
        'INPUT_UNDECIDED',
        true,
      ]);
    }
    for (const { body } of [...answers, refused]) expect(body.error).toContain('0x0000');
    await system.untilAvailable(COINS);
  });

  it('refuses the sponsor as the user', async () => {
    const body = { sender: system.sponsor, kind_bytes: kindBytes(readClockProgram()) };
    const answer = await call(system.application, 'POST', '/v1/build_tx', body);
    expect(answer.headers.get('error-code')).toBe('SENDER_IS_SPONSOR');
  });
});
