import { expect } from '@jest/globals';
import {
  type CoinStoreRedis,
  findReservation,
  placementRules,
  readPoolTotals,
} from '@forecourt/coin-store';
import type { FinalTransaction, ShownCoin, Submission } from '@forecourt/ledger';
import { CALLER, claimOnlyCoin, DIGEST, effectsOf } from './claim.test-support.js';
import { executeTransaction } from './execute-transaction.js';
import { OutcomePending } from './outcome-pending.js';

/** Digest of the sponsor's own transaction. */
export const OWN_DIGEST = '5kTrbVpXZyp2hEGkWu1P7yWBhHvqyrq8n3qgpiCCMGHi';
const CONFLICT = { kind: 'conflict', message: 'reserved for another transaction' } as const;

/** A quarantined claim, and a ledger whose answers a test sets. `submitted` are the bytes that it was sent since. */
export async function quarantineClaim(redis: CoinStoreRedis, objectLockMs: number | null = null) {
  const claim = await claimOnlyCoin(redis, CONFLICT, objectLockMs);
  const { job, status, coin } = claim;
  await expect(executeTransaction(claim.dependencies, job)).rejects.toThrow(OutcomePending);
  const submitted: string[] = [];
  const landed = new Map<string, FinalTransaction>();
  const ledger = {
    coinsNow: new Map<string, ShownCoin | 'gone'>([[coin.objectId, coin]]),
    haveInputsMovedOn: false,
    answer: CONFLICT as Submission,
    ownDigest: OWN_DIGEST,
    whenBuilt: async () => {},
    whenInputsRead: async () => {},
  };
  const dependencies = {
    ...claim.dependencies,
    ledger: {
      ...claim.dependencies.ledger,
      findTransaction: async (digest: string) => landed.get(digest) ?? null,
      readGasCoins: async () => ledger.coinsNow,
      haveInputsMovedOn: async () => {
        await ledger.whenInputsRead();
        return ledger.haveInputsMovedOn;
      },
      buildConsolidation: async () => {
        await ledger.whenBuilt();
        return { bytes: Buffer.from('own'), digest: ledger.ownDigest };
      },
      submit: async (bytes: Uint8Array) => {
        submitted.push(Buffer.from(bytes).toString());
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
  const asked = { reservationId, caller: CALLER, digest: DIGEST, waiter };
  return {
    job,
    coin,
    ledger,
    submitted,
    land,
    /** The job, repeated. */
    repeat: () => executeTransaction(dependencies, job),
    endEpoch: (epochs = 1n) => void Object.assign(status, { epoch: status.epoch + epochs }),
    effects: (digest: string) => effectsOf(digest, coin, sponsor),
    totals: () => readPoolTotals(redis, sponsor),
    /** The state of the reservation: `expired` once its transaction can never execute. */
    state: async () => {
      const { found } = await findReservation(redis, sponsor, asked, placementRules(1_000_000n));
      return found?.state;
    },
  };
}
