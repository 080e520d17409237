import { cpSync, rmSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { Transaction } from '@iota/iota-sdk/transactions';
import {
  buildSponsored,
  executeTx,
  reserved,
  reserveGas,
  sponsor,
} from '../support/application.js';
import { useSystem, type SystemWithFiles } from '../support/use-system.js';

/** Time limit of a call to a node, which also determines how long a pool is suspended. */
const LEDGER_TIMEOUT_MS = 2_000;
const HOLD_MS = 1.5 * LEDGER_TIMEOUT_MS;
/** With this limit a suspended pool does not serve before the test ends. */
const LONG_TIMEOUT_MS = 400_000;

let system: SystemWithFiles;
/** Creates one system for the tests of a block. */
function useForgetful(appendfsync: 'always' | 'everysec', env: Record<string, string>): void {
  const shared = useSystem((files) => ({
    coinPools: 2,
    executors: 2,
    redis: { dir: files.pathOf('redis'), appendfsync },
    env: { POOL_TARGET_COINS: '20', ...env },
  }));
  beforeAll(async () => {
    system = shared;
    await system.untilAvailable(20);
  });
}

const someTransactions = (count: number) =>
  Promise.all(Array.from({ length: count }, () => sponsor(system.application)));

/** Kills Redis and restarts it with the data of `copy`; without a copy, empty. */
async function bringBack(copy: string | null): Promise<void> {
  await system.stopRedis();
  rmSync(system.files.pathOf('redis'), { recursive: true });
  if (copy !== null) cpSync(copy, system.files.pathOf('redis'), { recursive: true });
  await system.startRedis();
}

function copyRedis(): string {
  const copy = system.files.pathOf('copy');
  cpSync(system.files.pathOf('redis'), copy, { recursive: true });
  return copy;
}

/** A part of the station may still be connecting: its 503 asks to repeat the same call. */
async function expectExecuted({
  reservation,
  transaction,
  answer,
}: Awaited<ReturnType<typeof sponsor>>): Promise<void> {
  let latest = answer;
  await system.until(async () => {
    if (latest.status === 503)
      latest = await executeTx(system.application, reservation, transaction);
    return latest.status !== 503;
  });
  expect([latest.status, latest.body.error]).toEqual([200, null]);
  expect(await system.control.submissionsOf(transaction.digest)).toBe(1);
}

/**
 * No coin is handed out before the suspension ends, which began at `startedAt` or later; then everything
 * serves, and no stale coin was signed for.
 */
async function expectRecovery(startedAt = performance.now()): Promise<void> {
  await system.until(async () => (await reserveGas(system.application)).status === 503);
  const refusal = await reserveGas(system.application);
  if (refusal.status === 503 && /lost writes/.test(String(refusal.body.error))) {
    expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  await system.until(async () => (await reserveGas(system.application, 1_000, 1)).status === 200);
  expect(performance.now() - startedAt).toBeGreaterThan(HOLD_MS - 1_000);
  await Promise.all((await someTransactions(15)).map(expectExecuted));
  expect((await system.totals()).coins.quarantined).toBe(0n);
  await system.untilAvailable(20);
  expect(await system.differences()).toEqual([]);
}

describe('a Redis that lost data', () => {
  useForgetful('everysec', { LEDGER_TIMEOUT_MS: String(LEDGER_TIMEOUT_MS) });

  it('causes a suspension if its last writes are missing: coins are compared with the ledger and corrected', async () => {
    await someTransactions(5);
    const open = await reserved(system.application, 10_000_000, 300);
    await system.until(async () => (await system.totals()).coins.executing === 0n);
    const copy = copyRedis();
    // Redis loses all of this: the ledger has the coins at later versions than the pool.
    const lost = await someTransactions(10);
    const late = await buildSponsored(system.application, open);
    expect((await executeTx(system.application, open, late)).status).toBe(200);
    await bringBack(copy);
    await expectRecovery();
    // The ledger's record answers the client's retry of a lost transaction.
    const [{ reservation, transaction }] = lost as [(typeof lost)[number], ...typeof lost];
    const again = await executeTx(system.application, reservation, transaction);
    expect(again.body.effects?.['transactionDigest']).toBe(transaction.digest);
    expect(await system.control.submissionsOf(transaction.digest)).toBe(1);
  });

  it('causes a refill from the ledger without an operator if all its data is missing', async () => {
    await someTransactions(10);
    await bringBack(null);
    await expectRecovery();
  });
});

describe('a Redis whose data is restored from an older backup', () => {
  useForgetful('always', { LEDGER_TIMEOUT_MS: String(LEDGER_TIMEOUT_MS) });

  /** Makes a backup and transactions that it lacks, one of which the client repeats after the restore. */
  async function makeBackup(): Promise<{
    copy: string;
    lost: Awaited<ReturnType<typeof sponsor>>;
  }> {
    await someTransactions(5);
    await system.until(async () => (await system.totals()).coins.executing === 0n);
    const copy = copyRedis();
    const [lost] = await someTransactions(12);
    return { copy, lost: lost! };
  }

  const expectKnown = async ({ reservation, transaction }: Awaited<ReturnType<typeof sponsor>>) => {
    const again = await executeTx(system.application, reservation, transaction);
    expect(again.body.effects?.['transactionDigest']).toBe(transaction.digest);
    expect(await system.control.submissionsOf(transaction.digest)).toBe(1);
  };

  /** The same, but no coin-pool survives that remembers. Returns when the new ones run. */
  async function bringBackWithoutCoinPools(copy: string | null): Promise<number> {
    const pools = system.services('coin-pool');
    for (const pool of pools) {
      pool.kill('SIGKILL');
      await pool.exited();
    }
    await bringBack(copy);
    const startedAt = performance.now();
    for (const pool of pools) pool.launch();
    return startedAt;
  }

  it('is detected by the coin-pools, which remember a higher watermark', async () => {
    const { copy, lost } = await makeBackup();
    await bringBack(copy);
    await expectRecovery();
    await expectKnown(lost);
  });

  it('is detected after the coin-pools have died with it', async () => {
    const { copy, lost } = await makeBackup();
    await expectRecovery(await bringBackWithoutCoinPools(copy));
    await expectKnown(lost);
  });

  it('is detected through the ledger if it is empty and the coin-pools have died with it', async () => {
    await someTransactions(10);
    const startedAt = await bringBackWithoutCoinPools(null);
    // Starting and filling also take time: only the reason shows that the pool was suspended.
    await system.until(async () => {
      const { body } = await reserveGas(system.application);
      return /lost writes/.test(String(body.error));
    });
    await expectRecovery(startedAt);
  });
});

describe('a Redis that writes every change at once', () => {
  useForgetful('always', { LEDGER_TIMEOUT_MS: String(LONG_TIMEOUT_MS), POOL_AUDIT_MS: '500' });

  it('serves at once after a restart', async () => {
    await someTransactions(5);
    await system.stopRedis();
    await system.startRedis();
    await system.until(async () => (await reserveGas(system.application, 1_000, 1)).status === 200);
    expect(await system.differences()).toEqual([]);
  });

  it('gets changes by the sponsor’s own wallet from the regular comparison, for reserved and available coins', async () => {
    await system.untilAvailable(20);
    const held = await reserved(system.application, 10_000_000, 300);
    const wallet = Ed25519Keypair.fromSecretKey(system.sponsorSecret);
    const transaction = new Transaction();
    transaction.setGasPayment([{ ...held.gas_coins[0]! }]);
    transaction.makeMoveVec({ type: 'u8', elements: [] });
    await system.ledger.signAndExecuteTransaction({ transaction, signer: wallet });
    await system.until(async () => (await system.totals()).coins.reserved === 0n);
    const stale = await buildSponsored(system.application, held);
    const answer = await executeTx(system.application, held, stale);
    expect([answer.status, answer.body.error]).toEqual([
      400,
      `Reservation ${held.reservation_id} has expired`,
    ]);
    expect((await sponsor(system.application)).answer.status).toBe(200);
    await system.until(async () => (await system.differences()).length === 0);
  });
});
