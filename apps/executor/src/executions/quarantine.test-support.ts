import { expect } from '@jest/globals';
import {
  beginExecutions,
  type CoinStoreRedis,
  findReservation,
  placementRules,
  readPoolTotals,
} from '@forecourt/coin-store';
import type {
  ExecutedTransaction,
  FinalTransaction,
  MaintenanceRequest,
  ShownCoin,
  Submission,
} from '@forecourt/ledger';
import { only } from '@forecourt/testing/redis';
import {
  CALLER,
  claimOnlyCoin,
  COMPUTATION,
  DIGEST,
  effectsOf,
  execute,
} from './claim.test-support.js';
import { OutcomePending } from './outcome-pending.js';

/** Digest of the sponsor's own transaction. */
export const OWN_DIGEST = '5kTrbVpXZyp2hEGkWu1P7yWBhHvqyrq8n3qgpiCCMGHi';
const CONFLICT = { kind: 'conflict', message: 'reserved for another transaction' } as const;

/**
 * A quarantined claim, and a ledger whose answers a test sets. `submitted`: the bytes that it has received
 * since; `built`: the inputs of the sponsor's own transactions. `foreignEpochs`: how far ahead the epoch was
 * that a node of another network reported when the quarantine began.
 */
export async function quarantineClaim(
  redis: CoinStoreRedis,
  { objectLockMs = null as number | null, balance = 1_000_000n, foreignEpochs = 0n } = {},
) {
  const claim = await claimOnlyCoin(redis, CONFLICT, objectLockMs, balance);
  const { job, status, coin, metrics } = claim;
  const { epoch } = status;
  Object.assign(status, { epoch: epoch + foreignEpochs });
  await expect(execute(claim.parts, job)).rejects.toThrow(OutcomePending);
  Object.assign(status, { epoch });
  const submitted: string[] = [];
  const built: MaintenanceRequest[] = [];
  const landed = new Map<string, FinalTransaction>();
  const executed = new Map<string, ExecutedTransaction>();
  const ledger = {
    coinsNow: new Map<string, ShownCoin | 'gone'>([[coin.objectId, coin]]),
    haveInputsMovedOn: false,
    hasExpired: false,
    answer: CONFLICT as Submission,
    ownDigest: OWN_DIGEST,
    whenBuilt: async () => {},
    whenCoinsRead: async () => {},
    whenSubmitted: async () => {},
    whenInputsRead: async () => {},
  };
  const parts = {
    ...claim.parts,
    ledger: {
      ...claim.parts.ledger,
      findTransaction: async (digest: string | null) => {
        if (digest === null) throw new TypeError('the node is asked for no transaction');
        return landed.get(digest) ?? null;
      },
      readGasCoins: async () => {
        await ledger.whenCoinsRead();
        return ledger.coinsNow;
      },
      findLastChanges: async () => new Map<string, string>(),
      readExecuted: async () => executed,
      haveInputsMovedOn: async () => {
        await ledger.whenInputsRead();
        return ledger.haveInputsMovedOn;
      },
      hasExpired: async () => ledger.hasExpired,
      buildConsolidation: async (request: MaintenanceRequest) => {
        built.push(request);
        await ledger.whenBuilt();
        return { bytes: Buffer.from('own'), digest: ledger.ownDigest };
      },
      submit: async (bytes: Uint8Array) => {
        submitted.push(Buffer.from(bytes).toString());
        await ledger.whenSubmitted();
        return ledger.answer;
      },
    },
  };
  const land = (digest: string) => {
    const effects = effectsOf(digest, coin, job.sponsor);
    landed.set(digest, { digest, effects });
    return effects;
  };
  const { sponsor, reservationId } = job;
  const waiter = { gateway: 'one', requestType: 'waitForEffectsCert' } as const;
  const lookup = { reservationId, caller: CALLER, digest: DIGEST, waiter };
  return {
    job,
    coin,
    ledger,
    metrics,
    submitted,
    told: claim.told,
    built,
    land,
    /**
     * Executes a transaction that Redis does not know: it pays with the coin at this version, which then has
     * the next one.
     */
    landUnknown: (digest: string, version: number, sender: string) => {
      const paying = { ...coin, version };
      executed.set(digest, {
        digest,
        effects: effectsOf(digest, paying, sponsor),
        sender,
        gasOwner: sponsor,
        gasPayment: [paying],
        gasBudget: 1_000_000n,
        commands: [],
        versionsBefore: new Map([[coin.objectId, version]]),
        versionsAfter: new Map([[coin.objectId, version + 1]]),
        dependencies: [...executed.keys()],
        executedAt: null,
      });
      const balance = coin.balance - BigInt(executed.size) * COMPUTATION;
      const now = { ...coin, version: version + 1, digest: 'C2', balance, changedBy: digest };
      ledger.coinsNow = new Map([[coin.objectId, now]]);
    },
    /** The job, repeated. */
    repeat: () => execute(parts, job),
    /** The error of the repeated job. */
    repeatFailing: () =>
      execute(parts, job).then(
        () => null,
        (error: unknown) => error,
      ),
    begun: () => only(beginExecutions(redis, sponsor, 'two', [job])),
    endEpoch: (epochs = 1n) => void Object.assign(status, { epoch: status.epoch + epochs }),
    /** Moves the beginning of the quarantine this far into the past. */
    age: async (ms: number) => {
      const key = `fc:{${sponsor}}:reservation:${reservationId}`;
      const stored = (await redis.get(key))!;
      const [state, reserved, bound = '', ...rest] = stored.split('\n');
      const [digest, since, ...fields] = bound.split('\t');
      const earlier = [digest, String(Number(since) - ms), ...fields].join('\t');
      const aged = [state, reserved, earlier, ...rest].join('\n');
      await redis.set(key, aged);
    },
    effects: (digest: string) => effectsOf(digest, coin, sponsor),
    totals: () => readPoolTotals(redis, sponsor),
    /** The state of the reservation: `expired` once its transaction can never execute. */
    state: async () => {
      const { found } = await findReservation(redis, sponsor, lookup, placementRules(1_000_000n));
      return found?.state;
    },
  };
}
