import { randomBytes } from 'node:crypto';
import { type EndedSponsorship, type RebuiltSponsorship } from '@forecourt/contracts';
import {
  auditPool,
  readPoolTotals,
  rebuiltStreamKey,
  setHistoryBacklog,
} from '@forecourt/coin-store';
import { createLocalSigner, type GasCoin, netGas } from '@forecourt/ledger';
import { expect } from '@jest/globals';
import type { TestFleet, TestPool } from '../test-fleet.test-support.js';
import { adoptedPool, coinsOnLedger } from './adopted-pool.test-support.js';

export const COIN = 100_000_000n;

/** A transaction that the ledger has and the pool does not know of. */
export interface Lost {
  readonly digest: string;
  readonly sender: string;
  readonly gas: bigint;
}

/** A pool with history, and transactions of its coins that Redis has lost. */
export class LossyPool {
  /** Those that the sponsor has paid for. */
  readonly lost: Lost[] = [];

  private constructor(readonly pool: TestPool) {}

  static async open(fleet: TestFleet, ...funds: bigint[]): Promise<LossyPool> {
    const pool = await adoptedPool(fleet, ...funds);
    await setHistoryBacklog(pool.redis, pool.sponsor, 1_000);
    return new LossyPool(pool);
  }

  /** Notes that Redis may have lost writes since a time; absent: for some seconds. */
  async loseWrites(since = Date.now() - 5_000): Promise<void> {
    await this.pool.redis.set(`fc:{${this.pool.sponsor}}:lost-since`, since);
  }

  /** The coin's latest version on the ledger. */
  async latest(...objectIds: string[]): Promise<GasCoin[]> {
    const coins = await coinsOnLedger(this.pool);
    return objectIds.map((id) => coins.find(({ objectId }) => objectId === id)!);
  }

  /** A user's transaction, paid with these coins at their latest versions. */
  async sponsor(...objectIds: string[]): Promise<Lost> {
    const { ledger, sponsor, signer } = this.pool;
    const secret = Buffer.concat([Buffer.of(0), randomBytes(32)]).toString('base64');
    const user = createLocalSigner(secret);
    const { bytes: own } = await this.consolidation(objectIds);
    const { gasPayment: payment, ...decoded } = ledger.decodeTransaction(own);
    const bytes = ledger.assembleTransaction({
      kindBytes: ledger.kindBytesOf({ ...decoded, gasPayment: payment }),
      sender: user.address,
      gas: { owner: sponsor, payment, price: decoded.gasPrice, budget: decoded.gasBudget },
      expirationEpoch: null,
    });
    const signatures = [await user.signTransaction(bytes), await signer.signTransaction(bytes)];
    return this.submit(bytes, signatures, user.address);
  }

  /** A transaction of the sponsor itself, which merges coins into the first one. */
  async merge(...objectIds: string[]): Promise<Lost> {
    const { bytes } = await this.consolidation(objectIds);
    return this.submitOwn(bytes);
  }

  /**
   * A transaction of the sponsor itself, which makes a coin of this amount out of another one. Returns the
   * new coin's id.
   */
  async split(objectId: string, amount: bigint): Promise<string> {
    const { ledger, sponsor } = this.pool;
    const before = new Set((await coinsOnLedger(this.pool)).map((coin) => coin.objectId));
    const terms = { ...(await this.terms([objectId])), amount, count: 1 };
    await this.submitOwn((await ledger.buildSplit({ sponsor, ...terms })).bytes);
    return (await coinsOnLedger(this.pool)).find((coin) => !before.has(coin.objectId))!.objectId;
  }

  /** A transaction of the sponsor itself, which sends a coin away. */
  async withdraw(objectId: string): Promise<Lost> {
    const { ledger, sponsor } = this.pool;
    const to = `0x${randomBytes(32).toString('hex')}`;
    const request = { sponsor, ...(await this.terms([objectId])), to, amount: null };
    return this.submitOwn((await ledger.buildWithdrawal(request)).bytes);
  }

  get gas(): bigint {
    return this.lost.reduce((sum, { gas }) => sum + gas, 0n);
  }

  /** The entries for the history. */
  async rebuilt(): Promise<(RebuiltSponsorship & EndedSponsorship)[]> {
    const { redis, sponsor } = this.pool;
    const entries = await redis.xrange(rebuiltStreamKey(sponsor), '-', '+');
    return entries.map(([, pairs]) => {
      const fields = pairs.flatMap((text, index) =>
        index % 2 === 0 ? [[text, pairs[index + 1]!]] : [],
      );
      return Object.fromEntries(fields) as RebuiltSponsorship;
    });
  }

  private async consolidation(objectIds: readonly string[]) {
    const { ledger, sponsor } = this.pool;
    return ledger.buildConsolidation({ sponsor, ...(await this.terms(objectIds)) });
  }

  private async terms(objectIds: readonly string[]) {
    const { referenceGasPrice: gasPrice } = await this.pool.ledger.status();
    return { coins: await this.latest(...objectIds), gasPrice, gasBudget: 30_000_000n };
  }

  private async submitOwn(bytes: Uint8Array): Promise<Lost> {
    const { signer, sponsor } = this.pool;
    return this.submit(bytes, [await signer.signTransaction(bytes)], sponsor);
  }

  private async submit(
    bytes: Uint8Array,
    signatures: readonly string[],
    sender: string,
  ): Promise<Lost> {
    const submission = await this.pool.ledger.submit(bytes, signatures);
    expect(submission.kind).toBe('executed');
    const { effects } = submission as Extract<typeof submission, { kind: 'executed' }>;
    const lost = { digest: effects.transactionDigest, sender, gas: netGas(effects) };
    this.lost.push(lost);
    return lost;
  }
}

/** A pool of so many coins of this balance, the ids of which come with it. */
export async function aLossyPool(fleet: TestFleet, coins: number, balance = COIN) {
  const lossy = await LossyPool.open(fleet, ...Array<bigint>(coins).fill(balance));
  const ids = (await coinsOnLedger(lossy.pool)).map(({ objectId }) => objectId);
  return { lossy, ids: ids as [string, string, string, ...string[]] };
}

/** The pool is that of the ledger, with the gas of everything that it had lost. */
export async function expectExact({ pool, gas, lost }: LossyPool): Promise<void> {
  const { redis, ledger, sponsor } = pool;
  const { differences, isExact } = await auditPool(redis, ledger, sponsor);
  expect([differences, isExact]).toEqual([[], true]);
  const { gasCharged, found } = await readPoolTotals(redis, sponsor);
  const sponsored = lost.filter(({ sender }) => sender !== sponsor);
  expect(gasCharged).toBe(gas);
  expect(found).toEqual({ transactions: BigInt(sponsored.length), gas, unexplained: 0n });
}

/** Each sponsored transaction has one entry, with what the ledger knows. */
export async function expectRebuilt(lossy: LossyPool): Promise<void> {
  const { sponsor } = lossy.pool;
  const entries = await lossy.rebuilt();
  const described = entries.map(({ digest, sender, result, commands }) => {
    const { computation, storage, rebate } = JSON.parse(result) as Record<string, string>;
    const gas = BigInt(computation!) + BigInt(storage!) - BigInt(rebate!);
    expect(commands).toBe('["MakeMoveVec"]');
    return { digest, sender, gas };
  });
  const byDigest = (a: { digest: string }, b: { digest: string }) => (a.digest < b.digest ? -1 : 1);
  expect(described.toSorted(byDigest)).toEqual(
    lossy.lost.filter(({ sender }) => sender !== sponsor).toSorted(byDigest),
  );
}
