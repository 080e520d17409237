import { describe, expect, it } from '@jest/globals';
import { beginExecutions, prepareCoinStore, readPoolTotals } from '@forecourt/coin-store';
import type { ExecuteTransactionJob } from '@forecourt/contracts';
import { type DecodedTransaction, InvalidTransactionBytes, type Signer } from '@forecourt/ledger';
import { DirectReplies } from '@forecourt/runtime/service';
import { partial, useRedis } from '@forecourt/testing/jest';
import { only } from '@forecourt/testing/redis';
import { Redis } from 'ioredis';
import { claimOnlyCoin, countedIn, execute } from './claim.test-support.js';

const REFUSED = { kind: 'refused', message: 'no' } as const;

const redis = useRedis((url) => prepareCoinStore(new Redis(url)));

const coinsOf = async ({ sponsor }: ExecuteTransactionJob) =>
  (await readPoolTotals(redis, sponsor)).coins;

/** A claim of bytes that decode to another transaction than was claimed, and the number of its signatures. */
async function claimOf(decode: (claimed: DecodedTransaction) => DecodedTransaction) {
  const claim = await claimOnlyCoin(redis, { kind: 'unknown', message: 'Internal error' });
  const { job, parts, told, metrics, signer } = claim;
  const signed: unknown[] = [];
  const watchedSigner: Signer = {
    address: signer.address,
    signTransaction(bytes) {
      signed.push(bytes);
      return signer.signTransaction(bytes);
    },
    kinds: signer.kinds,
    outageMs: null,
    inFlight: 0,
    check: () => signer.check(),
  };
  const { ledger } = parts;
  const watched: typeof parts = {
    ...parts,
    ledger: { ...ledger, decodeTransaction: (bytes) => decode(ledger.decodeTransaction(bytes)) },
    signers: { configured: [], find: () => watchedSigner },
  };
  return { job, told, metrics, signed, run: () => execute(watched, job) };
}

const breaches: [string, (claimed: DecodedTransaction) => DecodedTransaction][] = [
  ['digest is', (claimed) => ({ ...claimed, digest: 'another' })],
  ['sponsor', (claimed) => ({ ...claimed, sender: claimed.gasOwner })],
  ['500001 exceeds 500000', (claimed) => ({ ...claimed, gasBudget: 500_001n })],
  ['command 0', (claimed) => ({ ...claimed, gasCoinUses: ['command 0 (SplitCoins), coin'] })],
  ['is missing', (claimed) => ({ ...claimed, gasPayment: [] })],
  [
    'not a transaction',
    () => {
      throw new InvalidTransactionBytes('not a transaction');
    },
  ],
];

describe('a claim whose transaction a request of the same process has decoded', () => {
  /** `change`: how the transaction that the request has decoded differs from that of the claim. */
  async function executeKnown(change: Partial<DecodedTransaction>, isSame: boolean) {
    const { job, parts, told, signer } = await claimOnlyCoin(redis, REFUSED);
    let decoded = 0;
    const signed: Uint8Array[] = [];
    const ledger = {
      ...parts.ledger,
      decodeTransaction: (bytes: Uint8Array) => {
        decoded += 1;
        return parts.ledger.decodeTransaction(bytes);
      },
    };
    const direct = new DirectReplies();
    const txBytes = 'AAAA';
    const bytes = Buffer.from(txBytes, 'base64');
    const transaction = { ...parts.ledger.decodeTransaction(bytes), ...change };
    const read = { txBytes: isSame ? txBytes : 'AAAB', transaction };
    direct.await(job.digest, { receive: () => undefined, read });
    const findRead = direct.findRead.bind(direct);
    const signTransaction = (bytes: Uint8Array) => {
      signed.push(bytes);
      return signer.signTransaction(bytes);
    };
    const watched = partial<Signer>({ address: signer.address, signTransaction });
    const signers = { configured: [], find: () => watched };
    await execute({ ...parts, ledger, signers, replies: { ...parts.replies, findRead } }, job);
    return { decoded, signed: signed.length, told };
  }

  it('is not decoded again', async () => {
    expect(await executeKnown({}, true)).toMatchObject({ decoded: 0, signed: 1 });
  });

  it('is decoded if its bytes are not those of the request', async () => {
    expect(await executeKnown({}, false)).toMatchObject({ decoded: 1, signed: 1 });
  });

  it('is refused without being signed if it breaks the rules of the reservation', async () => {
    const { decoded, signed, told } = await executeKnown({ gasBudget: 500_001n }, true);
    expect([decoded, signed]).toEqual([0, 0]);
    expect(told).toEqual([expect.stringContaining('500001 exceeds 500000')]);
  });
});

describe('a claim whose bytes break the rules of sponsoring', () => {
  it.each(breaches)('is refused without being signed: %s', async (text, decode) => {
    const { job, told, metrics, signed, run } = await claimOf(decode);
    await run();
    expect(signed).toEqual([]);
    expect(told).toEqual([expect.stringContaining(text)]);
    expect(await coinsOf(job)).toMatchObject({ executing: 0n, reserved: 1n });
    expect(await countedIn(metrics)).toEqual([
      'forecourt_executions_total{outcome="refused",cause="rules"} 1',
    ]);
  });

  it('keeps its coins when another executor began it before, and may have signed it', async () => {
    const { job, told, signed, run } = await claimOf(breaches[0]![1]);
    await only(beginExecutions(redis, job.sponsor, 'two', [job]));
    const pending = { name: 'OutcomePending', pace: 'slow' };
    await expect(run()).rejects.toMatchObject(pending);
    expect([signed, told]).toEqual([[], []]);
    expect(await coinsOf(job)).toMatchObject({ executing: 1n, reserved: 0n });
  });

  it('is not refused when the check itself fails', async () => {
    const { job, told, signed, run } = await claimOf(() => {
      throw new TypeError('a defect');
    });
    await expect(run()).rejects.toThrow('a defect');
    expect([signed, told]).toEqual([[], []]);
    expect(await coinsOf(job)).toMatchObject({ executing: 1n, reserved: 0n });
  });
});
