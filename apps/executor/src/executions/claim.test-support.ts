import { randomBytes } from 'node:crypto';
import {
  adoptCoins,
  claimReservations,
  type CoinStoreRedis,
  placementRules,
  registerSponsor,
  reserveGas,
} from '@forecourt/coin-store';
import type { ExecuteTransactionJob, RequestType } from '@forecourt/contracts';
import {
  createLocalSigner,
  type DecodedTransaction,
  type Ledger,
  type ObjectReference,
  type Signer,
  type Submission,
  type TransactionEffects,
} from '@forecourt/ledger';
import { RecentObjects } from '@forecourt/runtime/recent-objects';
import { Metrics } from '@forecourt/runtime/metrics';
import type { Logger, ReplicaIdentity } from '@forecourt/runtime/service';
import { Signers } from '@forecourt/runtime/signers';
import { partial } from '@forecourt/testing/jest';
import { only } from '@forecourt/testing/redis';
import type { ExecutorConfig } from '../executor-config.js';
import { ExecutorMetrics } from '../metrics/executor-metrics.js';
import { ClaimExecutionsService } from './claim-executions.service.js';
import { OutcomesService } from './outcomes.service.js';
import { QuarantinedCoins } from './quarantined-coins.js';
import { QuarantinesService } from './quarantines.service.js';
import type { Replies } from './replies.js';
import { UnexecutedClaimsService } from './unexecuted-claims.service.js';

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
  const computation = String(COMPUTATION);
  const gasUsed = { storageCost: '0', storageRebate: '0', nonRefundableStorageFee: '0' };
  return {
    messageVersion: 'v1',
    status: { status: 'success' },
    transactionDigest: digest,
    executedEpoch: '5',
    gasUsed: { ...gasUsed, computationCost: computation, computationCostBurned: computation },
    gasObject: { owner: { AddressOwner: sponsor }, reference },
  };
}

/** The collaborators of an executor, which a test may replace one by one. */
export interface Parts {
  readonly redis: CoinStoreRedis;
  /** Names the executor in the claims that it works on. */
  readonly executor: string;
  readonly settings: Pick<
    ExecutorConfig,
    'localExecutionWaitMs' | 'poolTargetBalance' | 'retentionMs' | 'submitWithinMs'
  >;
  readonly ledger: Pick<
    Ledger,
    | 'buildConsolidation'
    | 'decodeTransaction'
    | 'findLastChanges'
    | 'findTransaction'
    | 'hasExpired'
    | 'haveInputsMovedOn'
    | 'readExecuted'
    | 'readGasCoins'
    | 'status'
    | 'submit'
    | 'waitForLocalExecution'
  >;
  readonly signers: Pick<Signers, 'configured' | 'find'>;
  readonly recentObjects: Pick<RecentObjects, 'record'>;
  /** Replaces what sends the replies. */
  readonly replies: Pick<
    Replies,
    'areAwaitedHere' | 'findRead' | 'followUp' | 'sendEffects' | 'sendRefusal' | 'sendUnsigned'
  >;
  readonly metrics: ExecutorMetrics;
  readonly logger: Logger;
}

/** The services of an executor of these parts. */
export function createServices(parts: Parts) {
  const { redis, executor, metrics, logger } = parts;
  const ledger = partial<Ledger>(parts.ledger);
  const settings = partial<ExecutorConfig>(parts.settings);
  const signers = partial<Signers>(parts.signers);
  const replies = partial<Replies>(parts.replies);
  const recentObjects = partial<RecentObjects>(parts.recentObjects);
  const replica = partial<ReplicaIdentity>({ id: executor });
  const outcomes = new OutcomesService(
    redis,
    ledger,
    settings,
    recentObjects,
    replies,
    metrics,
    logger,
  );
  const unexecuted = new UnexecutedClaimsService(
    redis,
    replica,
    settings,
    replies,
    metrics,
    logger,
  );
  const coins = new QuarantinedCoins(redis, ledger, settings, outcomes, metrics, logger);
  const quarantines = new QuarantinesService(
    redis,
    ledger,
    outcomes,
    replies,
    coins,
    metrics,
    logger,
  );
  const executions = new ClaimExecutionsService(
    redis,
    ledger,
    replica,
    settings,
    signers,
    outcomes,
    unexecuted,
    quarantines,
    replies,
    metrics,
    logger,
  );
  return { executions, outcomes };
}

/** Runs a job in an executor of these parts. */
export function execute(parts: Parts, job: ExecuteTransactionJob): Promise<void> {
  return createServices(parts).executions.execute(job);
}

/** Parts of an executor whose ledger answers nothing. */
export function createParts(
  redis: CoinStoreRedis,
  signers: readonly Signer[],
  poolTargetBalance: bigint,
): Parts {
  const log = () => undefined;
  const refuse = () => Promise.reject(new Error('the ledger answers nothing'));
  return {
    redis,
    executor: 'one',
    settings: {
      localExecutionWaitMs: 0,
      poolTargetBalance,
      retentionMs: 60_000,
      submitWithinMs: 60_000,
    },
    ledger: {
      buildConsolidation: refuse,
      decodeTransaction: () => {
        throw new Error('no transaction expected');
      },
      findLastChanges: refuse,
      findTransaction: refuse,
      hasExpired: refuse,
      haveInputsMovedOn: refuse,
      readExecuted: refuse,
      readGasCoins: refuse,
      status: refuse,
      submit: refuse,
      waitForLocalExecution: refuse,
    },
    signers: new Signers(signers),
    recentObjects: new RecentObjects(redis),
    replies: {
      areAwaitedHere: () => false,
      findRead: () => null,
      sendEffects: async () => undefined,
      followUp: () => undefined,
      sendRefusal: async () => undefined,
      sendUnsigned: async () => undefined,
    },
    metrics: new ExecutorMetrics(new Metrics()),
    logger: { debug: log, info: log, warn: log, error: log },
  };
}

/** A claim of a sponsor's only coin, an executor's parts for it, and the replies to its gateway. */
export async function claimOnlyCoin(
  redis: CoinStoreRedis,
  submission: Submission,
  objectLockMs: number | null = null,
  balance = 1_000_000n,
  requestType: RequestType = 'waitForLocalExecution',
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
  const claimed = await only(
    claimReservations(redis, sponsor, [
      {
        caller: CALLER,
        reservationId,
        digest: DIGEST,
        txBytes: 'AAAA',
        userSig: 'BBBB',
        waiter: { gateway: 'one', requestType },
        leaseMs: 30_000,
        rule: '',
        inputs: [],
        usage: [],
      },
    ]),
  );
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
  const status = {
    epoch: 5n,
    referenceGasPrice: 1_000n,
    epochStartedAt: 0,
    epochEndsAt: 0,
    objectLockMs,
  };
  const idle = createParts(redis, [signer], balance);
  const parts: Parts = {
    ...idle,
    ledger: {
      ...idle.ledger,
      decodeTransaction: () => transaction,
      findTransaction: async () => null,
      hasExpired: async () => false,
      haveInputsMovedOn: async () => false,
      readGasCoins: async () => new Map(),
      status: async () => ({ ...status }),
      submit: async () => submission,
    },
    replies: {
      ...idle.replies,
      sendRefusal: async (_job, _waiters, text) => void told.push(text),
    },
    metrics: new ExecutorMetrics(metrics),
  };
  return { job, parts, rules, told, status, signer, coin, metrics };
}

/** The counters of executions and gas that are not zero. */
export async function countedIn(metrics: Metrics): Promise<string[]> {
  const { text } = await metrics.expose();
  return text.split('\n').filter((line) => /^forecourt_.*_total\{.* [1-9]\d*$/.test(line));
}
