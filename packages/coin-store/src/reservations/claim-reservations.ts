import {
  type CurrentUsage,
  escapeText,
  type ExpectedUsage,
  type QuarantineLimit,
  type Waiter,
} from '@forecourt/contracts';
import { type CoinStoreRedis, listOf, recordsOf, runScript } from '../scripts/run-script.js';
import { type ReachedThreshold, readReached, writeCheck } from './usage-checks.js';
import { writeWaiter } from './waiters.js';

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
  /** `writeDecisionFacts`, for history. */
  readonly facts?: string;
  /** `objectId:version` of inputs that no other transaction may use. */
  readonly inputs: readonly string[];
  /** The fence of the claim that the inputs are locked for; absent or null: they are not locked. */
  readonly fence?: number | null;
  readonly usage: readonly ExpectedUsage[];
  readonly quarantineLimit?: QuarantineLimit;
  /** How long ago those quarantines of the caller began that are in other pools, in ms. */
  readonly quarantinedElsewhere?: readonly number[];
  /** The id of the request that it is made for, for history. */
  readonly requestId?: string;
  /** W3C `traceparent` of the request's trace, for history. */
  readonly traceparent?: string;
}

/** The results of several claims. */
export interface ClaimResults {
  /** An `Error` in place of one that cannot be claimed: its stored state is invalid. */
  readonly results: readonly (ClaimResult | Error)[];
  /** The pool's watermark after them; null when nothing was claimed. */
  readonly watermark: number | null;
  readonly reached: readonly ReachedThreshold[];
}

/**
 * reserved → claimed, and counted in its limits. `usage`: a counter is not as expected; `locked`: another
 * transaction in flight uses an input; `passed`: its fence is another than the next one; `quarantines`: too
 * many of the caller's transactions are in quarantine. The claim keeps the bytes and the user's signature, so
 * that a lost job can be made again.
 */
export async function claimReservations(
  redis: CoinStoreRedis,
  sponsor: string,
  claims: readonly Claim[],
): Promise<ClaimResults> {
  const args = claims.flatMap(writeClaim);
  const replies = (await runScript(redis, 'claim-reservation', sponsor, ...args)) as unknown[];
  const watermark = replies[claims.length];
  return {
    results: claims.map(({ usage }, index) => readClaimResult(replies[index] as ClaimReply, usage)),
    watermark: typeof watermark === 'number' ? watermark : null,
    reached: readReached(replies[claims.length + 1]),
  };
}

function writeClaim(claim: Claim): (string | number)[] {
  return [
    ...listOf(claim.inputs.map(escapeText)),
    ...recordsOf(claim.usage.map(writeCheck)),
    ...listOf(claim.quarantinedElsewhere ?? []),
    claim.reservationId,
    escapeText(claim.caller),
    escapeText(claim.digest),
    `${escapeText(claim.txBytes)}\t${escapeText(claim.userSig)}`,
    writeWaiter(claim.waiter),
    claim.leaseMs,
    escapeText(claim.rule),
    claim.quarantineLimit?.most ?? '',
    claim.quarantineLimit?.windowMs ?? '',
    claim.fence ?? '',
    `${escapeText(claim.requestId ?? '')}\t${escapeText(claim.traceparent ?? '')}`,
    escapeText(claim.facts ?? ''),
  ];
}

type ClaimReply =
  | [tag: 'known' | 'unknown' | 'expired' | 'used']
  | [tag: 'claimed' | 'passed', fence: string | number]
  | [tag: 'quarantines', endsInMs: string]
  | [tag: 'locked', input: string, digest: string]
  | [tag: 'failed', message: string]
  | [tag: 'usage', ...(string | number)[]];

function readClaimResult(reply: ClaimReply, usage: readonly ExpectedUsage[]): ClaimResult | Error {
  switch (reply[0]) {
    case 'claimed':
    case 'passed':
      return { result: reply[0], fence: Number(reply[1]) };
    case 'quarantines':
      return { result: reply[0], endsInMs: Number(reply[1]) };
    case 'locked':
      return { result: reply[0], input: reply[1], digest: reply[2] };
    case 'failed':
      return new Error(reply[1]);
    case 'usage': {
      const usages = usage.map(({ counter }, index) => ({
        counter,
        used: String(reply[2 * index + 1]),
        endsInMs: Math.max(0, Number(reply[2 * index + 2])),
      }));
      return { result: reply[0], usages };
    }
    default:
      return { result: reply[0] };
  }
}
