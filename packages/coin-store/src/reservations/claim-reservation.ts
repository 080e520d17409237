import type { CurrentUsage, QuarantineLimit, ExpectedUsage, Waiter } from '@forecourt/contracts';
import { escapeText } from '../scripts/escape-text.js';
import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';
import { writeWaiter } from './waiter-text.js';

export type ClaimResult =
  | { readonly result: 'claimed'; readonly fence: number }
  | { readonly result: 'known' | 'unknown' | 'expired' | 'used' }
  | { readonly result: 'passed'; readonly fence: number }
  | { readonly result: 'locked'; readonly input: string; readonly digest: string }
  | { readonly result: 'quarantines'; readonly endsInMs: number }
  | { readonly result: 'usage'; readonly usages: readonly CurrentUsage[] };

/** A claim of a reservation for one transaction. */
export interface Claim {
  readonly reservationId: number;
  readonly caller: string;
  readonly digest: string;
  /** Base64. */
  readonly txBytes: string;
  /** Base64. */
  readonly userSig: string;
  readonly waiter: Waiter;
  /** How long the claim lasts without a job. */
  readonly leaseMs: number;
  /** Name of the access rule that allowed it; empty where none did. */
  readonly rule: string;
  /** `objectId:version` of inputs that no other transaction may use. */
  readonly inputs: readonly string[];
  /** The fence of the claim that the inputs are locked for; absent or null: they are not locked. */
  readonly fence?: number | null;
  readonly usage: readonly ExpectedUsage[];
  readonly quarantineLimit?: QuarantineLimit;
  /** How long ago those quarantines of the caller began that are in other pools, in ms. */
  readonly quarantinedElsewhere?: readonly number[];
}

/**
 * reserved → claimed, and counted in what is used of limits. `usage`: a counter is not as expected; `locked`: another
 * transaction in flight uses an input; `passed`: its fence is another than the next one; `quarantines`: too many of the caller's transactions are in quarantine. The claim
 * keeps the bytes and the user's signature, so that a lost job can be made again.
 */
export async function claimReservation(
  redis: CoinStoreRedis,
  sponsor: string,
  claim: Claim,
): Promise<ClaimResult> {
  const { results } = await claimReservations(redis, sponsor, [claim]);
  const [result] = results;
  if (result instanceof Error) throw result;
  return result!;
}

/** The results of several claims. */
export interface ClaimResults {
  /** An `Error` in place of one that cannot be claimed: its stored state is invalid. */
  readonly results: readonly (ClaimResult | Error)[];
  /** The pool's watermark after them; null when nothing was claimed. */
  readonly watermark: number | null;
}

/** The same for several in one call. */
export async function claimReservations(
  redis: CoinStoreRedis,
  sponsor: string,
  claims: readonly Claim[],
): Promise<ClaimResults> {
  const args = claims.flatMap(writeClaim);
  const replies = (await runOnPool(redis, 'claim-reservation', sponsor, ...args)) as unknown[];
  const watermark = replies[claims.length];
  return {
    results: claims.map(({ usage }, index) => readReply(replies[index] as Reply, usage)),
    watermark: typeof watermark === 'number' ? watermark : null,
  };
}

type Reply = 'known' | 'unknown' | 'expired' | 'used' | (string | number)[];

function writeClaim(claim: Claim): (string | number)[] {
  return [
    claim.reservationId,
    escapeText(claim.caller),
    escapeText(claim.digest),
    `${escapeText(claim.txBytes)}\t${escapeText(claim.userSig)}`,
    writeWaiter(claim.waiter),
    claim.leaseMs,
    escapeText(claim.rule),
    claim.quarantineLimit?.most ?? '',
    claim.quarantineLimit?.windowMs ?? '',
    claim.quarantinedElsewhere?.join(',') ?? '',
    claim.fence ?? '',
    claim.inputs.length,
    claim.usage.length,
    ...claim.inputs.map(escapeText),
    ...claim.usage.flatMap((one) => [
      escapeText(one.counter),
      one.counts,
      one.amount,
      one.operator,
      one.limit,
      one.windowMs,
      one.expected ? 1 : 0,
      one.held ? 1 : 0,
    ]),
  ];
}

function readReply(reply: Reply, usage: readonly ExpectedUsage[]): ClaimResult | Error {
  if (typeof reply === 'string') return { result: reply };
  const [first, second, third] = reply;
  switch (first) {
    case 'claimed':
      return { result: 'claimed', fence: Number(second) };
    case 'passed':
      return { result: 'passed', fence: Number(second) };
    case 'quarantines':
      return { result: 'quarantines', endsInMs: Number(second) };
    case 'locked':
      return { result: 'locked', input: String(second), digest: String(third) };
    case 'failed':
      return new Error(String(second));
    default: {
      const usages = usage.map(({ counter }, index) => ({
        counter,
        used: String(reply[2 * index]),
        endsInMs: Math.max(0, Number(reply[2 * index + 1])),
      }));
      return { result: 'usage', usages };
    }
  }
}
