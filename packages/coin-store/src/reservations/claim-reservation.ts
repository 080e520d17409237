import type { CurrentUsage, QuarantineLimit, ExpectedUsage, Waiter } from '@forecourt/contracts';
import { escapeText } from '../scripts/escape-text.js';
import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';
import { writeWaiter } from './waiter-text.js';

export type ClaimResult =
  | { readonly result: 'claimed'; readonly fence: number }
  | { readonly result: 'known' | 'unknown' | 'expired' | 'used' }
  | { readonly result: 'locked'; readonly input: string; readonly digest: string }
  | { readonly result: 'quarantines'; readonly endsInMs: number }
  | { readonly result: 'usage'; readonly usages: readonly CurrentUsage[] };

/**
 * reserved → claimed, and counted in what is used of limits. `usage`: a counter is not as expected; `locked`: another
 * transaction in flight uses an input; `quarantines`: too many of the caller's transactions are in quarantine. The claim
 * keeps the bytes and the user's signature (base64), so that a lost job can be made again.
 * `leaseMs`: how long the claim lasts without a job.
 */
export async function claimReservation(
  redis: CoinStoreRedis,
  sponsor: string,
  claim: {
    reservationId: number;
    caller: string;
    digest: string;
    txBytes: string;
    userSig: string;
    waiter: Waiter;
    leaseMs: number;
    /** Name of the access rule that allowed it; empty where none did. */
    rule: string;
    /** `objectId:version` of inputs that no other transaction may use. */
    inputs: readonly string[];
    usage: readonly ExpectedUsage[];
    quarantineLimit?: QuarantineLimit;
  },
): Promise<ClaimResult> {
  const reply = (await runOnPool(
    redis,
    'claim-reservation',
    sponsor,
    claim.reservationId,
    escapeText(claim.caller),
    escapeText(claim.digest),
    `${escapeText(claim.txBytes)}\t${escapeText(claim.userSig)}`,
    writeWaiter(claim.waiter),
    claim.leaseMs,
    escapeText(claim.rule),
    claim.quarantineLimit?.most ?? '',
    claim.quarantineLimit?.windowMs ?? '',
    claim.inputs.length,
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
  )) as number | 'known' | 'unknown' | 'expired' | 'used' | (string | number)[];
  if (typeof reply === 'number') return { result: 'claimed', fence: reply };
  if (typeof reply === 'string') return { result: reply };
  const [first, input, digest] = reply;
  if (first === 'quarantines') return { result: 'quarantines', endsInMs: Number(input) };
  if (first === 'locked') return { result: 'locked', input: String(input), digest: String(digest) };
  const usages = claim.usage.map(({ counter }, index) => ({
    counter,
    used: String(reply[2 * index]),
    endsInMs: Math.max(0, Number(reply[2 * index + 1])),
  }));
  return { result: 'usage', usages };
}
