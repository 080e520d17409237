import { afterEach, describe, expect, it } from '@jest/globals';
import {
  abortMaintenance,
  auditPool,
  beginMaintenance,
  bindMaintenance,
  readPoolTotals,
} from '@forecourt/coin-store';
import { maintenanceBudget } from '@forecourt/ledger';
import { type TestPool, useTestFleet } from '../test-fleet.test-support.js';
import { adoptedPool, coinsOnLedger, spend } from './adopted-pool.test-support.js';
import {
  boundSplit,
  expectNoneBound,
  FUNDS,
  resolve,
  SPLIT_REQUEST,
} from './bound-split.test-support.js';

const fleet = useTestFleet();
afterEach(() => fleet.clearFaults());

const ELSEWHERE = `0x${'5a'.repeat(32)}`;
const adopted = () => adoptedPool(fleet, FUNDS);

/** A split whose bytes in Redis were replaced by those of a transaction that sends its coin elsewhere. */
async function misdirectedSplit(pool: TestPool): Promise<{ digest: string }> {
  const { redis, ledger, sponsor } = pool;
  const { coins, operationId } = await boundSplit(pool);
  const { referenceGasPrice: gasPrice } = await ledger.status();
  const gasBudget = maintenanceBudget(0, gasPrice);
  const { bytes, digest } = await ledger.buildWithdrawal({
    sponsor,
    coins,
    to: ELSEWHERE,
    amount: null,
    gasPrice,
    gasBudget,
  });
  const written = { digest, bytes: Buffer.from(bytes).toString('base64') };
  await redis.hset(`fc:{${sponsor}}:operation:${operationId}`, written);
  return { digest };
}

describe('a split whose process died', () => {
  it('before it was bound returns its coin', async () => {
    const pool = await adopted();
    await beginMaintenance(pool.redis, pool.sponsor, SPLIT_REQUEST);
    await resolve(pool);
    await expectNoneBound(pool, 0n);
    expect((await readPoolTotals(pool.redis, pool.sponsor)).coins.treasury).toBe(1n);
  });

  it('after it was bound is submitted with the same bytes', async () => {
    const pool = await adopted();
    const { digest } = await boundSplit(pool);
    await resolve(pool);
    expect(await pool.ledger.findTransaction(digest)).not.toBeNull();
    await expectNoneBound(pool, 3n);
  });

  it('after it landed is recorded and not submitted again', async () => {
    const pool = await adopted();
    const { bytes } = await boundSplit(pool);
    const signature = await pool.signer.signTransaction(bytes);
    expect((await pool.ledger.submit(bytes, [signature])).kind).toBe('executed');
    const before = await fleet.requestsOf('iota_executeTransactionBlock');
    await resolve(pool);
    expect(await fleet.requestsOf('iota_executeTransactionBlock')).toBe(before);
    await expectNoneBound(pool, 3n);
  });

  it('is not signed when its bytes in Redis send coins elsewhere', async () => {
    const pool = await adopted();
    const { redis, ledger, sponsor } = pool;
    const { digest } = await misdirectedSplit(pool);
    await expect(resolve(pool)).rejects.toThrow(`${digest} sends coins to ${ELSEWHERE}`);
    expect(await ledger.findTransaction(digest)).toBeNull();
    expect((await readPoolTotals(redis, sponsor)).coins.maintenance).toBe(1n);
  });

  it('is reported beside others that cannot be resolved either', async () => {
    const pool = await fleet.aPool([FUNDS, FUNDS]);
    await pool.correction.adoptNewCoins(pool.sponsor);
    const [one, two] = [await misdirectedSplit(pool), await misdirectedSplit(pool)];
    const resolved = resolve(pool);
    await expect(resolved).rejects.toThrow(one.digest);
    await expect(resolved).rejects.toThrow(two.digest);
  });

  it('is left to that process during its lease', async () => {
    const pool = await adopted();
    const request = { kind: 'split', from: 'treasury', maxCoins: 1, leaseMs: 60_000 } as const;
    await beginMaintenance(pool.redis, pool.sponsor, request);
    await pool.resolver.resolveAll(pool.sponsor);
    expect((await readPoolTotals(pool.redis, pool.sponsor)).coins.maintenance).toBe(1n);
  });
});

describe('a split whose process continues after its lease', () => {
  it('keeps its coin when it is bound while another process still sees it unbound', async () => {
    const pool = await adopted();
    const { redis, sponsor } = pool;
    const request = { kind: 'split', from: 'treasury', maxCoins: 1, leaseMs: 0 } as const;
    const { operationId } = (await beginMaintenance(redis, sponsor, request))!;
    const list = 'coinStore:list-maintenance';
    const late = Object.assign(Object.create(redis) as TestPool['redis'], {
      [list]: async (prefix: string) => {
        const listed = await redis[list]!(prefix);
        const binding = { operationId, digest: 'D', txBytes: 'AAAA', amount: 0n, leaseMs: 60_000 };
        await bindMaintenance(redis, sponsor, binding);
        return listed;
      },
    });
    await pool.with({ redis: late }).resolver.resolveAll(sponsor);
    expect((await readPoolTotals(redis, sponsor)).coins.maintenance).toBe(1n);
    expect(pool.logged.filter(({ message }) => message.includes('aborted'))).toEqual([]);
  });

  it('is not signed by another process once its own process has returned its coin', async () => {
    const pool = await adopted();
    const { redis, sponsor } = pool;
    const { operationId, digest } = await boundSplit(pool);
    const ledger: TestPool['ledger'] = {
      ...pool.ledger,
      async findTransaction(digest) {
        await abortMaintenance(redis, sponsor, { operationId, digest });
        return pool.ledger.findTransaction(digest);
      },
    };
    await resolve(pool.with({ ledger }));
    expect(await pool.ledger.findTransaction(digest)).toBeNull();
    await expectNoneBound(pool, 0n);
  });
});

describe('a split whose coin the sponsor’s key used elsewhere', () => {
  it('ends, and its coin returns at the version on the ledger with the gas of what has moved it', async () => {
    const pool = await adopted();
    const { coins } = await boundSplit(pool);
    await spend(pool, coins);
    await resolve(pool);
    expect((await readPoolTotals(pool.redis, pool.sponsor)).coins.maintenance).toBe(1n);
    await pool.recovery.returnWithheld(pool.sponsor);
    const totals = await readPoolTotals(pool.redis, pool.sponsor);
    expect(totals.coins).toMatchObject({ maintenance: 0n, treasury: 1n });
    const [now] = await coinsOnLedger(pool);
    expect(totals.gasCharged).toBe(coins[0]!.balance - now!.balance);
    const { differences } = await auditPool(pool.redis, pool.ledger, pool.sponsor);
    expect(differences).toEqual([]);
  });
});
