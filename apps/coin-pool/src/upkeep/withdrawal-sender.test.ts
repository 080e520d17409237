import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  abortMaintenance,
  auditPool,
  bindMaintenance,
  type CoinStoreRedis,
  drainSponsor,
  finishMaintenance,
  listMaintenance,
  orderWithdrawal,
  placementRules,
  readDrain,
  readPoolTotals,
} from '@forecourt/coin-store';
import { waitUntil } from '@forecourt/testing/system';
import { type TestPool, useTestFleet } from '../test-fleet.test-support.js';
import { coinsOnLedger, spend } from './adopted-pool.test-support.js';
import { MaintenanceFailed } from './maintenance-failed.js';

const fleet = useTestFleet();
afterEach(() => fleet.clearFaults());

const EXECUTE = 'iota_executeTransactionBlock';
let last = 0;
/** An address that owns nothing yet. */
const newAddress = () => `0x${(++last).toString(16).padStart(64, 'c')}`;

/** A drained pool of these funds, with an ordered withdrawal. */
async function ordered(
  funds: readonly bigint[],
  to: string,
  allowed = [to],
  amount: bigint | null = null,
): Promise<TestPool> {
  const pool = await fleet.aPool(funds, { withdrawAddresses: allowed });
  await pool.correction.adoptNewCoins(pool.sponsor);
  await drainSponsor(pool.redis, pool.sponsor, { reason: 'a', by: 'ops', since: 1 });
  const part = amount === null ? null : { amount, request: '', isCovered: true };
  const order = { id: randomUUID(), to, by: 'ops', reason: 'a', part };
  expect(await orderWithdrawal(pool.redis, pool.sponsor, order)).toBe('ordered');
  return pool;
}

async function balanceAt(address: string): Promise<bigint> {
  let sum = 0n;
  for await (const page of fleet.ledger.listGasCoins(address)) {
    for (const { balance } of page) sum += balance;
  }
  return sum;
}

const withdrawalOf = async ({ redis, sponsor }: TestPool) =>
  (await readDrain(redis, sponsor)).withdrawal!;

const operationOf = async ({ redis, sponsor }: TestPool) =>
  (await listMaintenance(redis, sponsor))[0]!;

/** The operation of a withdrawal that no node gets, as its sender cannot tell. */
async function sendUnseen(pool: TestPool) {
  const ledger: TestPool['ledger'] = {
    ...pool.ledger,
    submit: () => Promise.resolve({ kind: 'unknown', message: 'a test' }),
  };
  await pool.with({ ledger }).withdrawals.send(pool.sponsor);
  return operationOf(pool);
}

/** Resolves the operation as after the death of its sender. */
async function resolve(pool: TestPool): Promise<void> {
  const { operationId, digest, txBytes, amount } = await operationOf(pool);
  const binding = { operationId, digest: digest!, txBytes: txBytes!, amount, leaseMs: 1 };
  await bindMaintenance(pool.redis, pool.sponsor, binding);
  await waitUntil(async () => (await operationOf(pool)).leaseOver);
  await pool.resolver.resolveAll(pool.sponsor);
}

async function untilEnded(pool: TestPool): Promise<void> {
  await waitUntil(async () => {
    await pool.withdrawals.send(pool.sponsor);
    return (await withdrawalOf(pool)).ended !== null;
  });
}

async function expectExact(pool: TestPool, funds: bigint, to: string): Promise<void> {
  const { gas, balance } = await withdrawalOf(pool);
  const { gasCharged, coins } = await readPoolTotals(pool.redis, pool.sponsor);
  expect(coins.maintenance).toBe(0n);
  expect(await balanceAt(to)).toBe(balance - gas);
  expect((await pool.balance()) + (await balanceAt(to)) + gasCharged).toBe(funds);
  const audit = await auditPool(pool.redis, pool.ledger, pool.sponsor);
  expect([audit.differences, audit.isExact]).toEqual([[], true]);
}

describe('a withdrawal', () => {
  it('sends all coins, dust included, and pool, ledger and address agree', async () => {
    const to = newAddress();
    const funds = [1_000_000_000n, 150_000_000n, 1n, 2_000_000n];
    const pool = await ordered(funds, to);
    await untilEnded(pool);
    expect(await pool.balance()).toBe(0n);
    expect(await withdrawalOf(pool)).toMatchObject({ coins: 4, digest: expect.any(String) });
    await expectExact(pool, 1_152_000_001n, to);
    // A search of the ledger does not bring a coin back.
    await pool.correction.adoptNewCoins(pool.sponsor, true);
    expect(await pool.balance()).toBe(0n);
  });

  it('leaves coins that are not worth their gas, and logs that', async () => {
    const to = newAddress();
    const pool = await ordered([5n, 1_000n], to);
    await untilEnded(pool);
    expect(await withdrawalOf(pool)).toMatchObject({ coins: 0, digest: null });
    expect(pool.logged.at(-1)?.message).toMatch(/not worth its gas/);
    await expectExact(pool, 1_005n, to);
  });

  it('continues although its first transaction took so long to build that another process has returned the coins', async () => {
    const to = newAddress();
    const pool = await ordered([1_000_000_000n], to);
    const ledger: TestPool['ledger'] = {
      ...pool.ledger,
      async buildWithdrawal(request) {
        const [operation] = await listMaintenance(pool.redis, pool.sponsor);
        await abortMaintenance(pool.redis, pool.sponsor, operation!);
        return pool.ledger.buildWithdrawal(request);
      },
    };
    await pool.with({ ledger }).withdrawals.send(pool.sponsor);
    expect((await withdrawalOf(pool)).ended).toBeNull();
    await untilEnded(pool);
    expect(await withdrawalOf(pool)).toMatchObject({ coins: 1, digest: expect.any(String) });
  });

  it('sends nothing to an address outside the configuration, even when ordered', async () => {
    const to = newAddress();
    const pool = await ordered([1_000_000_000n], to, [newAddress()]);
    const before = await fleet.requestsOf(EXECUTE);
    await expect(pool.withdrawals.send(pool.sponsor)).rejects.toThrow(/WITHDRAW_ADDRESSES/);
    const itself = await ordered([1_000_000_000n], to);
    await fleet.redis.hset(`fc:{${itself.sponsor}}:withdrawal`, 'address', itself.sponsor);
    await expect(itself.withdrawals.send(itself.sponsor)).rejects.toThrow(/WITHDRAW_ADDRESSES/);
    expect(await fleet.requestsOf(EXECUTE)).toBe(before);
    expect(await pool.balance()).toBe(1_000_000_000n);
  });

  it('leaves the funds in the pool when the ledger refuses it, until it is repeated', async () => {
    const to = newAddress();
    const pool = await ordered([1_000_000_000n], to);
    await fleet.fault({ kind: 'refuse', preset: 'gas-price' });
    await expect(pool.withdrawals.send(pool.sponsor)).rejects.toBeInstanceOf(MaintenanceFailed);
    expect(await pool.balance()).toBe(1_000_000_000n);
    await fleet.clearFaults();
    await untilEnded(pool);
    await expectExact(pool, 1_000_000_000n, to);
  });
});

describe('a withdrawal of an amount', () => {
  const AMOUNT = 700_000_000n;
  const orderedPart = (funds: readonly bigint[], to: string, amount = AMOUNT) =>
    ordered(funds, to, [to], amount);

  it('sends exactly the amount, and the pool keeps the rest and pays the gas', async () => {
    const to = newAddress();
    const pool = await orderedPart([1_000_000_000n, 150_000_000n, 1n], to);
    await untilEnded(pool);
    expect(await balanceAt(to)).toBe(AMOUNT);
    expect(await withdrawalOf(pool)).toMatchObject({ amount: AMOUNT, left: 0n, coins: 0 });
    expect(pool.logged.at(-1)?.message).toMatch(/the amount is sent/);
    await expectExact(pool, 1_150_000_001n, to);
    // The rest can be withdrawn too.
    const order = { id: randomUUID(), to, by: 'ops', reason: 'a' };
    expect(await orderWithdrawal(pool.redis, pool.sponsor, order)).toBe('ordered');
    await untilEnded(pool);
    expect(await pool.balance()).toBe(0n);
  });

  it('merges coins when none covers it', async () => {
    const to = newAddress();
    const pool = await orderedPart([400_000_000n, 400_000_000n, 400_000_000n], to);
    await untilEnded(pool);
    expect(await balanceAt(to)).toBe(AMOUNT);
    expect(await withdrawalOf(pool)).toMatchObject({ coins: 1 });
    await expectExact(pool, 1_200_000_000n, to);
  });

  it('takes several transactions when those of one do not cover it', async () => {
    const to = newAddress();
    const amount = 300n * 100_000_000n;
    const pool = await orderedPart(Array<bigint>(310).fill(100_000_000n), to, amount);
    await pool.withdrawals.send(pool.sponsor);
    const first = await withdrawalOf(pool);
    expect(first.left).toBeGreaterThan(0n);
    await untilEnded(pool);
    expect(await balanceAt(to)).toBe(amount);
    expect((await withdrawalOf(pool)).digest).not.toBe(first.digest);
    await expectExact(pool, 310n * 100_000_000n, to);
  });

  it('ends short, and logs that, when the funds have shrunk below it', async () => {
    const to = newAddress();
    const pool = await orderedPart([100_000_000n], to);
    await untilEnded(pool);
    const arrived = await balanceAt(to);
    expect(arrived).toBeLessThan(100_000_000n);
    expect(await withdrawalOf(pool)).toMatchObject({ left: AMOUNT - arrived });
    expect(pool.logged.at(-1)?.message).toMatch(/not worth its gas/);
    const { gasCharged } = await readPoolTotals(pool.redis, pool.sponsor);
    expect((await pool.balance()) + arrived + gasCharged).toBe(100_000_000n);
  });

  it('is sent again after the ledger has certainly refused it', async () => {
    const to = newAddress();
    const pool = await orderedPart([1_000_000_000n], to);
    await fleet.fault({ kind: 'refuse', preset: 'gas-price' });
    await expect(pool.withdrawals.send(pool.sponsor)).rejects.toBeInstanceOf(MaintenanceFailed);
    expect((await withdrawalOf(pool)).left).toBe(AMOUNT);
    await fleet.clearFaults();
    await untilEnded(pool);
    expect(await balanceAt(to)).toBe(AMOUNT);
    await expectExact(pool, 1_000_000_000n, to);
  });

  it('is not sent again when its coins have moved and no node shows by what', async () => {
    const to = newAddress();
    const pool = await orderedPart([1_000_000_000n], to);
    await sendUnseen(pool);
    await spend(pool, await coinsOnLedger(pool));
    await resolve(pool);
    await pool.recovery.returnWithheld(pool.sponsor);
    await untilEnded(pool);
    expect(await withdrawalOf(pool)).toMatchObject({ left: 0n, balance: 0n });
    expect(pool.logged.at(-1)?.message).toMatch(/no node shows what moved its coins/);
    expect(await balanceAt(to)).toBe(0n);
    const { differences } = await auditPool(pool.redis, pool.ledger, pool.sponsor);
    expect(differences).toEqual([]);
  });

  it('logs that it has ended when it may not begin after a loss of Redis', async () => {
    const to = newAddress();
    const pool = await orderedPart([1_000_000_000n], to);
    await pool.redis.hset(`fc:{${pool.sponsor}}:loss`, 'id', '1');
    await pool.withdrawals.send(pool.sponsor);
    expect((await withdrawalOf(pool)).ended).not.toBeNull();
    expect(pool.logged.at(-1)?.message).toMatch(/Redis may have lost a transaction/);
    expect(await balanceAt(to)).toBe(0n);
  });

  it('does not end as sent when its transaction expires while the sender looks', async () => {
    const to = newAddress();
    const pool = await orderedPart([1_000_000_000n], to);
    const { operationId, coins } = await sendUnseen(pool);
    const rules = placementRules(pool.settings.targetBalance);
    const ended = { operationId, returned: coins, created: [], rules, gasCharged: 0n };
    const expire = () => finishMaintenance(pool.redis, pool.sponsor, ended);
    const redis = before(pool.redis, 'coinStore:end-withdrawal', expire);
    await pool.with({ redis }).withdrawals.send(pool.sponsor);
    expect(await withdrawalOf(pool)).toMatchObject({ left: AMOUNT, ended: null });
    await untilEnded(pool);
    expect(await balanceAt(to)).toBe(AMOUNT);
    await expectExact(pool, 1_000_000_000n, to);
  });

  it('is not bound on a connection that is not checked yet, which may lead to another server', async () => {
    const to = newAddress();
    const pool = await orderedPart([1_000_000_000n], to);
    const ledger: TestPool['ledger'] = {
      ...pool.ledger,
      async buildWithdrawal(request) {
        pool.redis.emit('close');
        return pool.ledger.buildWithdrawal(request);
      },
    };
    const sent = pool.with({ ledger }).withdrawals.send(pool.sponsor);
    await expect(sent).rejects.toMatchObject({ code: 'STORE_UNREACHABLE' });
    expect(await withdrawalOf(pool)).toMatchObject({ left: AMOUNT, ended: null });
    expect(await listMaintenance(pool.redis, pool.sponsor)).toMatchObject([{ digest: null }]);
  });
});

/** Runs `happen` before each call of this script. */
function before(redis: object, script: string, happen: () => Promise<unknown>): CoinStoreRedis {
  return new Proxy(redis, {
    get(target, name) {
      const found: unknown = Reflect.get(target, name);
      if (typeof found !== 'function') return found;
      const call = found.bind(target) as (...args: unknown[]) => unknown;
      return name === script ? (...args: unknown[]) => happen().then(() => call(...args)) : call;
    },
  }) as CoinStoreRedis;
}

const FAULTS: readonly [string, object][] = [
  ['its answer was lost', { kind: 'loseReply', times: 1 }],
  ['it timed out and landed', { kind: 'transient', when: 'after', times: 1 }],
  ['it timed out and did not land', { kind: 'transient', when: 'never', times: 1 }],
];

describe('a withdrawal with unknown outcome', () => {
  it.each(FAULTS)('lands once, and no other begins meanwhile: %s', async (_what, fault) => {
    const to = newAddress();
    const pool = await ordered([1_000_000_000n, 2_000_000_000n], to);
    await fleet.fault({ ...fault, method: EXECUTE });
    await pool.withdrawals.send(pool.sponsor);
    const { digest, kind } = await operationOf(pool);
    expect(kind).toBe('withdrawal');
    await pool.withdrawals.send(pool.sponsor);
    expect(await listMaintenance(pool.redis, pool.sponsor)).toHaveLength(1);
    await resolve(pool);
    await untilEnded(pool);
    expect(await withdrawalOf(pool)).toMatchObject({ coins: 2, digest });
    await expectExact(pool, 3_000_000_000n, to);
  });

  it.each(FAULTS)('sends an amount once: %s', async (_what, fault) => {
    const to = newAddress();
    const amount = 1_500_000_000n;
    const pool = await ordered([1_000_000_000n, 2_000_000_000n], to, [to], amount);
    await fleet.fault({ ...fault, method: EXECUTE });
    await pool.withdrawals.send(pool.sponsor);
    const { digest } = await operationOf(pool);
    await pool.withdrawals.send(pool.sponsor);
    expect(await listMaintenance(pool.redis, pool.sponsor)).toHaveLength(1);
    expect(await withdrawalOf(pool)).toMatchObject({ left: 0n, ended: null });
    await resolve(pool);
    await untilEnded(pool);
    expect(await withdrawalOf(pool)).toMatchObject({ digest });
    expect(await balanceAt(to)).toBe(amount);
    await expectExact(pool, 3_000_000_000n, to);
  });
});
