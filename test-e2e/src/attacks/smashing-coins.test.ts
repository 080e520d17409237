import { describe, expect, it } from '@jest/globals';
import { useStarted } from '@forecourt/testing/jest';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { Transaction } from '@iota/iota-sdk/transactions';
import { Redis } from 'ioredis';
import {
  type Answer,
  type Application,
  buildSponsored,
  executeTx,
  type Reservation,
  reserveGas,
  type TransactionOptions,
} from '../support/application.js';
import { buildCar, scrapCar } from '../support/ledger-user.js';
import { readWealthAtRest } from '../support/sponsor-wealth.js';
import { useSystem } from '../support/use-system.js';
import { tokenEntry, tokensFile, applicationOf } from '../support/tokens-file.js';

const COIN = 1_000_000_000n;
const TOKEN_BUDGET = COIN / 20n;
const USER_BUDGET = COIN / 10n;
const CARS = 8;
const COINS = 120;
/** Coins of a transaction that a limit refuses stay reserved this long; the pool is checked after that. */
const RESERVED_SECS = 10;

const TOKENS = [
  tokenEntry('burner', [
    'role: sponsor',
    'rule-set: anything',
    'budget: { value: 0.05 IOTA, window: 30 days }',
  ]),
  tokenEntry('garage', ['role: sponsor', 'rule-set: cars']),
];
const RULES = `access-controller:
  access-policy: deny-all
  rules: []
  rule-sets:
    anything:
      access-policy: allow-all
    cars:
      access-policy: deny-all
      rules:
        - move-call-function: '0xdec0::garage::build_car'
          gas-usage: { value: '<=0.1 IOTA', window: 30 days, count-by: [sender-address] }
          action: allow
`;

const system = useSystem((files) => ({
  env: {
    TOKENS_FILE: files.write('tokens.yaml', tokensFile(...TOKENS)),
    ACCESS_RULES_FILE: files.write('rules.yaml', RULES),
    POOL_TARGET_COINS: String(COINS),
    POOL_MIN_COINS: String(COINS),
  },
}));
const redis = useStarted(
  async () => new Redis(system.redisUrl),
  (client) => client.disconnect(),
);
const as = (name: string) => applicationOf(name, system.application);

/** The sum that all limits together have counted. */
async function readCounted(): Promise<bigint> {
  const keys = await redis.keys(`fc:{${system.sponsor}}:usage:*`);
  const used = await Promise.all(keys.map((key) => redis.hget(key, 'used')));
  return used.reduce((sum, one) => sum + BigInt(one ?? 0), 0n);
}

interface Attempt extends TransactionOptions {
  /** The reserved budget: the larger it is, the more coins pay. */
  readonly reserve: number;
}

/** Repeats until a limit refuses, and returns the executed transactions. */
async function repeat(
  application: Application,
  attempts: readonly Attempt[],
  most = 60,
): Promise<Answer[]> {
  const executed: Answer[] = [];
  for (let turn = 0; turn < most; turn++) {
    const { reserve, ...options } = attempts[turn % attempts.length]!;
    const reserved = await reserveGas(application, reserve, RESERVED_SECS);
    if (reserved.status !== 200) break;
    const reservation = reserved.body.result as unknown as Reservation;
    const transaction = await buildSponsored(application, reservation, options);
    const answer = await executeTx(application, reservation, transaction);
    if (answer.status === 429 && turn >= attempts.length) break;
    if (answer.status === 200) executed.push(answer);
  }
  return executed;
}

describe('a caller whose transactions are paid with many coins', () => {
  it('spends its budget and no more: the deposits of merged coins are not refunded to it', async () => {
    const before = await readWealthAtRest(system, COINS);
    const burn = (units: number) => (tx: Transaction) => system.demo.burn(tx, units);
    const executed = await repeat(as('burner'), [
      { reserve: 1_999_999_999, gasBudget: 4_000_000, build: burn(2_000) },
      { reserve: 250_000_000, gasBudget: 20_000_000, build: burn(18_000) },
      { reserve: 150_000_000, gasBudget: 4_000_000, build: burn(1_000) },
    ]);
    expect(executed.length).toBeGreaterThan(1);
    const lost = before - (await readWealthAtRest(system, COINS));
    const counted = await readCounted();
    expect(counted).toBeLessThanOrEqual(TOKEN_BUDGET);
    expect(lost).toBeGreaterThan(0n);
    expect(lost).toBeLessThanOrEqual(counted);
  });

  it('harvests no more storage deposits than its limit counts', async () => {
    await redis.del(...(await redis.keys(`fc:{${system.sponsor}}:usage:*`)));
    const before = await readWealthAtRest(system, COINS);
    const user = new Ed25519Keypair();
    const owner = user.toIotaAddress();
    const build = (tx: Transaction) => {
      for (let car = 0; car < CARS; car++) buildCar(tx, 'Mini', owner);
    };
    const options = { user, build, gasBudget: 25_000_000 };
    const executed = await repeat(as('garage'), [
      { ...options, reserve: 950_000_000 },
      { ...options, reserve: 150_000_000 },
    ]);
    expect(executed.length).toBeGreaterThan(1);
    const lost = before - (await readWealthAtRest(system, COINS));
    const counted = await readCounted();
    expect(counted).toBeLessThanOrEqual(USER_BUDGET);
    expect(lost).toBeLessThanOrEqual(counted);

    await system.control.mint(owner, Number(COIN));
    const wealthOfUser = async () =>
      BigInt((await system.ledger.getBalance({ owner })).totalBalance);
    const userBefore = await wealthOfUser();
    const { data } = await system.ledger.getOwnedObjects({ owner, options: { showType: true } });
    const cars = data.flatMap(({ data: object }) =>
      object?.type?.endsWith('::garage::Car') ? [object.objectId] : [],
    );
    const scrap = new Transaction();
    for (const car of cars) scrapCar(scrap, car);
    await system.ledger.signAndExecuteTransaction({ transaction: scrap, signer: user });
    await system.until(async () => (await wealthOfUser()) !== userBefore);
    expect((await wealthOfUser()) - userBefore).toBeLessThanOrEqual(counted);
  });
});
