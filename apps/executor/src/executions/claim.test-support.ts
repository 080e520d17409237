import { randomBytes } from 'node:crypto';
import {
  adoptCoins,
  claimReservation,
  type CoinStoreRedis,
  placementRules,
  registerSponsor,
  reserveGas,
} from '@forecourt/coin-store';
import {
  createLocalSigner,
  type DecodedTransaction,
  type ObjectReference,
  type Submission,
  type TransactionEffects,
} from '@forecourt/ledger';
import { RecentObjects } from '@forecourt/runtime/recent-objects';
import { Metrics } from '@forecourt/runtime/metrics';
import { Signers } from '@forecourt/runtime/signers';
import { ExecutorMetrics } from '../metrics/executor-metrics.js';
import { BatchedSteps } from './batched-steps.js';
import type { ExecutionDependencies } from './execution-dependencies.js';

export const CALLER = 'default';
export const DIGEST = 'HWKo1RcVdQgCSnFqRyfJdSgsxGfKjt2jELNFbQEyvCJ9';

export const COMPUTATION = 1_000n;

/** Effects of a transaction that only paid `COMPUTATION` with the coin. */
export function effectsOf(
  digest: string,
  coin: ObjectReference,
  sponsor: string,
): TransactionEffects {
  const reference = { objectId: coin.objectId, version: coin.version + 1, digest: 'C2' };
  const gasUsed = { storageCost: '0', storageRebate: '0', nonRefundableStorageFee: '0' };
  return {
    status: { status: 'success' },
    transactionDigest: digest,
    executedEpoch: '5',
    gasUsed: { ...gasUsed, computationCost: String(COMPUTATION) },
    gasObject: { owner: { AddressOwner: sponsor }, reference },
  };
}

/** A claim of a sponsor's only coin, an executor for it, and the replies to its gateway. */
export async function claimOnlyCoin(
  redis: CoinStoreRedis,
  submission: Submission,
  objectLockMs: number | null = null,
  balance = 1_000_000n,
) {
  const secret = Buffer.concat([Buffer.of(0), randomBytes(32)]).toString('base64');
  const signer = createLocalSigner(secret);
  const sponsor = signer.address;
  const rules = placementRules(balance);
  const coin = { objectId: `0x${'a'.repeat(64)}`, version: 1, digest: 'C1', balance };
  await redis.del('fc:sponsors');
  await registerSponsor(redis, sponsor);
  await adoptCoins(redis, sponsor, [coin], rules);
  const request = { caller: CALLER, gasBudget: 500_000, durationMs: 60_000 };
  const [reserved] = await reserveGas(redis, sponsor, [request]);
  const { reservationId } = reserved!;
  const claimed = await claimReservation(redis, sponsor, {
    caller: CALLER,
    reservationId,
    digest: DIGEST,
    txBytes: 'AAAA',
    userSig: 'BBBB',
    waiter: { gateway: 'one', requestType: 'waitForEffectsCert' },
    leaseMs: 30_000,
    rule: '',
    inputs: [],
    usage: [],
  });
  if (claimed.result !== 'claimed') throw new Error(claimed.result);
  const job = { sponsor, reservationId, digest: DIGEST, fence: claimed.fence };
  const transaction = {
    bytes: Buffer.from('AAAA', 'base64'),
    digest: DIGEST,
    sender: `0x${'b'.repeat(64)}`,
    gasOwner: sponsor,
    gasPayment: [coin],
    gasBudget: 500_000n,
    gasPrice: 1_000n,
    expirationEpoch: null,
    gasCoinUses: [],
    ownedInputs: [],
    receivedInputs: [],
    sharedInputs: [],
  } as unknown as DecodedTransaction;
  const told: string[] = [];
  const metrics = new Metrics();
  const status = { epoch: 5n, referenceGasPrice: 1_000n, epochStartedAt: 0, objectLockMs };
  const log = () => undefined;
  const dependencies = {
    redis,
    ledger: {
      decodeTransaction: () => transaction,
      findTransaction: async () => null,
      hasExpired: async () => false,
      haveInputsMovedOn: async () => false,
      readGasCoins: async () => new Map(),
      status: async () => ({ ...status }),
      submit: async () => submission,
    },
    signers: new Signers([signer]),
    recentObjects: new RecentObjects(redis),
    steps: new BatchedSteps(redis, 'one'),
    replies: {
      followUp: () => undefined,
      sendRefusal: async (_job: unknown, _waiters: unknown, text: string) => told.push(text),
    },
    rules,
    retentionMs: 60_000,
    submitWithinMs: 60_000,
    metrics: new ExecutorMetrics(metrics),
    logger: { debug: log, info: log, warn: log, error: log },
  } as unknown as ExecutionDependencies;
  return { job, dependencies, told, status, signer, coin, metrics };
}

/** The counters of executions and gas that are not zero. */
export async function countedIn(metrics: Metrics): Promise<string[]> {
  const { text } = await metrics.expose();
  return text.split('\n').filter((line) => /^forecourt_.*_total\{.* [1-9]\d*$/.test(line));
}
