import { describe, expect, it } from '@jest/globals';
import { useStarted } from '@forecourt/testing/jest';
import { chooseSeed } from '@forecourt/testing/seed';
import type { Transaction } from '@iota/iota-sdk/transactions';
import { Redis } from 'ioredis';
import { buildSponsored, call, executeTx, reserved } from '../support/application.js';
import { Seeded } from '../support/seeded.js';
import { countingBudget, readCounted, readWealthAtRest } from '../support/sponsor-wealth.js';
import { applicationOf, tokenEntry, tokensFile } from '../support/tokens-file.js';
import { useSystem } from '../support/use-system.js';

const CALLER = 'mixed';
const COINS = 40;
const MIN_COINS = 38;
const TRANSACTIONS = 300;
const CLIENTS = 8;
/** The size of a new coin. */
const COIN = 100_000_000;

/** Shares in percent, as `least-most` or one number, and how often each occurs. */
type Shares = Readonly<Record<string, number>>;
interface Demand {
  /** Of a coin. */
  readonly budgets: Shares;
  /** Computation, of the budget; more than all of it: the transaction runs out of gas. */
  readonly used: Shares;
}
const USUAL: Demand = {
  budgets: { '10-20': 70, '20-60': 25, '120-250': 5 },
  used: { 1: 8, 5: 2 },
};
/** Uses coins up until they are dust, and merges hardly any. */
const COSTLY: Demand = {
  budgets: { '10-20': 60, '20-60': 30, '60-95': 10 },
  used: { 0: 1, 1: 1, 5: 1, 90: 1, 110: 1 },
};
const GAS_PRICE = 1_000;
/** Taken in turn, coins would be merged for each budget that is larger than one: twenty and more. */
const MOST_SMASHED = 10;

const seed = chooseSeed();
process.stderr.write(`FORECOURT_SEED=${seed}\n`);

const system = useSystem((files) => ({
  env: {
    TOKENS_FILE: files.write(
      'tokens.yaml',
      tokensFile(tokenEntry(CALLER, ['role: sponsor', countingBudget()])),
    ),
    POOL_TARGET_COINS: String(COINS),
    POOL_MIN_COINS: String(MIN_COINS),
    RESERVE_MAX_UNUSED_PER_MINUTE: '1000',
  },
}));
const redis = useStarted(
  async () => new Redis(system.redisUrl),
  (client) => client.disconnect(),
);

/** Sponsors one, or releases its reservation. Returns the number of coins that were merged. */
async function sponsorOne(random: Seeded, { budgets, used }: Demand): Promise<number> {
  const application = applicationOf(CALLER, system.application);
  const [least, most] = random.weighted(budgets).split('-').map(Number);
  const gasBudget = random.integer((least! * COIN) / 100, (most! * COIN) / 100);
  const units = Math.floor((gasBudget * Number(random.weighted(used))) / 100 / GAS_PRICE);
  const reservation = await reserved(application, gasBudget);
  if (random.integer(1, 20) === 1) {
    const { reservation_id } = reservation;
    const released = await call(application, 'POST', '/v1/release_gas', { reservation_id });
    expect(released.status).toBe(200);
    return 0;
  }
  const build = (tx: Transaction) => system.demo.burn(tx, units);
  const transaction = await buildSponsored(application, reservation, { build, gasBudget });
  const { status, body } = await executeTx(application, reservation, transaction);
  expect({ status, error: body.error }).toEqual({ status: 200, error: null });
  return reservation.gas_coins.length - 1;
}

/** Sponsors many with several clients. Returns the number of merged coins. */
async function sponsorMany(demand: Demand): Promise<number> {
  const random = new Seeded(seed);
  let [left, smashed] = [TRANSACTIONS, 0];
  const client = async () => {
    while (left-- > 0) {
      const merged = await sponsorOne(random.branch(), demand);
      smashed += merged;
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return smashed;
}

describe('a pool that pays for transactions of all sizes', () => {
  it('keeps its coins, merges few of them, and agrees with the ledger', async () => {
    await readWealthAtRest(system, COINS);
    const smashed = await sponsorMany(USUAL);
    await readWealthAtRest(system, MIN_COINS);
    expect(smashed).toBeLessThan(MOST_SMASHED);
    expect((await system.totals()).coins.available).toBeLessThanOrEqual(BigInt(COINS + 1));
    expect(await system.differences()).toEqual([]);
  });

  it('counts at least what the sponsor has lost once dust is consolidated and coins are made anew', async () => {
    const counted = () => readCounted(redis, [system.sponsor], [CALLER]);
    const [before, countedBefore] = [await readWealthAtRest(system, MIN_COINS), await counted()];
    const { smashed: mergedBefore } = await system.totals();
    const smashed = await sponsorMany(COSTLY);
    const lost = before - (await readWealthAtRest(system, MIN_COINS));
    const { smashed: merged } = await system.totals();
    // Of transactions, and of consolidations.
    expect(Number(merged - mergedBefore)).toBeGreaterThan(smashed);
    expect(lost).toBeGreaterThan(0n);
    expect((await counted())[CALLER]! - countedBefore[CALLER]!).toBeGreaterThanOrEqual(lost);
    expect(await system.differences()).toEqual([]);
  });
});
