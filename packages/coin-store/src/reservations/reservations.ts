import type {
  CurrentUsage,
  ExpectedUsage,
  QuarantineLimit,
  RequestType,
  ReservationLimits,
  Waiter,
} from '@forecourt/contracts';
import type { GasCoin } from '@forecourt/ledger';
import { parseDrain, SponsorDrained } from '../pool/drains.js';
import { classOf, coveringClassOf, readCoinList } from '../pool/pool-coins.js';
import { sponsorIndex } from '../pool/sponsor-registry.js';
import {
  type CoinStoreRedis,
  escapeText,
  listOf,
  readEscaped,
  recordsOf,
  runScript,
} from '../scripts/prepare-coin-store.js';
import { type ReachedThreshold, readReached, writeCheck } from './usage-checks.js';

/** A transaction pays with at most 256 coins; 255 are safe on every node. */
export const MAX_COINS_PER_RESERVATION = 255;

export interface ReserveRequest {
  readonly caller: string;
  /** In the smallest unit, below 2^53. */
  readonly gasBudget: number;
  readonly durationMs: number;
  /** Absent: the caller has none, and is not counted. */
  readonly limits?: ReservationLimits;
  /** Of all users of the caller's token together; of no effect without `limits`. */
  readonly usersLimits?: ReservationLimits;
}

/** A caller has reached a limit on its reservations. */
export interface UsedUp {
  /** `coins`, `budget`, `coins-per-minute`, `budget-per-minute`, `unused-per-minute` or `pool-share`; after `all users: ` one of theirs. */
  readonly usedUp: string;
  /** Time until the limit allows more; 0 when that depends on returned coins. */
  readonly endsInMs: number;
}

export interface StoredCoins {
  readonly reservationId: number;
  readonly coins: readonly GasCoin[];
  /** Milliseconds since 1970 by Redis's clock. */
  readonly deadlineMs: number;
}

/**
 * available → reserved, for a whole burst in one call. Each request gets coins that together cover its budget, or
 * null when there are none, or the limit that its caller has reached. Throws `SponsorDrained`, and `Error` when the
 * sponsor has no index and none is left. `historyBacklog`: see `openPool`.
 */
export function reserveGas(
  redis: CoinStoreRedis,
  sponsor: string,
  requests: readonly (ReserveRequest & { readonly limits?: undefined })[],
  historyBacklog?: number | null,
): Promise<(StoredCoins | null)[]>;
export function reserveGas(
  redis: CoinStoreRedis,
  sponsor: string,
  requests: readonly ReserveRequest[],
  historyBacklog?: number | null,
): Promise<(StoredCoins | UsedUp | null)[]>;
export async function reserveGas(
  redis: CoinStoreRedis,
  sponsor: string,
  requests: readonly ReserveRequest[],
  historyBacklog: number | null = null,
): Promise<(StoredCoins | UsedUp | null)[]> {
  const index = await sponsorIndex(redis, sponsor);
  const args = writeRequests(requests);
  const replies = (await runScript(
    redis,
    'reserve-gas',
    sponsor,
    index,
    MAX_COINS_PER_RESERVATION,
    historyBacklog || '',
    ...args,
  )) as ReserveReply[];
  return replies.map(readReserved);
}

type ReserveReply =
  | [tag: 'drained', drain: string]
  | [tag: 'empty']
  | [tag: 'limited', limit: string, endsInMs: string]
  | [tag: 'reserved', reservationId: string, deadlineMs: string, coins: string];

function readReserved(reply: ReserveReply): StoredCoins | UsedUp | null {
  switch (reply[0]) {
    case 'drained':
      throw new SponsorDrained(parseDrain(reply[1]));
    case 'empty':
      return null;
    case 'limited':
      return { usedUp: reply[1], endsInMs: Number(reply[2]) };
    case 'reserved': {
      const [, id, deadlineMs, coins] = reply;
      return {
        reservationId: Number(id),
        deadlineMs: Number(deadlineMs),
        coins: readCoinList(coins),
      };
    }
  }
}

function writeRequests(requests: readonly ReserveRequest[]): (string | number)[] {
  let alike = 0;
  let following: number | null = null;
  const written = requests.toReversed().map((request) => {
    const budget = BigInt(request.gasBudget);
    const sureClass = coveringClassOf(budget);
    alike = sureClass === following ? alike + 1 : 1;
    following = sureClass;
    return [
      escapeText(request.caller),
      request.gasBudget,
      sureClass,
      alike,
      classOf(budget),
      request.durationMs,
      writeLimits(request.limits),
      writeLimits(request.usersLimits),
    ];
  });
  return written.toReversed().flat();
}

/**
 * `coins|budget|coins a minute|budget a minute|share in percent|unused reservations a minute`, each empty for none; empty
 * when there are none at all.
 */
function writeLimits(limits: ReservationLimits | undefined): string {
  if (!limits) return '';
  const { coins, budget, coinsPerMinute, budgetPerMinute, poolShare, unusedPerMinute } = limits;
  const share = poolShare === 100 ? null : poolShare;
  const all = [coins, budget, coinsPerMinute, budgetPerMinute, share, unusedPerMinute];
  const written = all.map((limit) => limit ?? '');
  return written.every((limit) => limit === '') ? '' : written.join('|');
}

/** Longer than the lag of any node's listing. */
const REMEMBER_GONE_MS = 60 * 60 * 1000;

/** reserved → available at the caller's request. False when this caller has no such unused reservation. */
export async function releaseReservation(
  redis: CoinStoreRedis,
  sponsor: string,
  request: { reservationId: number; caller: string; retentionMs: number },
): Promise<boolean> {
  const { reservationId, caller, retentionMs } = request;
  const args = [reservationId, escapeText(caller), retentionMs];
  return (await runScript(redis, 'release-reservation', sponsor, ...args)) === 1;
}

/** reserved → available for reservations past their deadline. Returns their number, at most `limit`. */
export async function expireReservations(
  redis: CoinStoreRedis,
  sponsor: string,
  { limit, retentionMs }: { limit: number; retentionMs: number },
): Promise<number> {
  const args = [limit, retentionMs, REMEMBER_GONE_MS];
  return Number(await runScript(redis, 'expire-reservations', sponsor, ...args));
}

/** Names one claim of a sponsor's reservation. */
export interface BegunClaim {
  readonly reservationId: number;
  readonly digest: string;
  readonly fence: number;
}

/** Names one claim, in the same form as its job. */
export interface InFlight extends BegunClaim {
  readonly sponsor: string;
}

/** The arguments by which a script knows a claim. */
export function writeClaimName({ reservationId, digest, fence }: BegunClaim) {
  return [reservationId, escapeText(digest), fence] as const;
}

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

/**
 * reserved → claimed, and counted in its limits. `usage`: a counter is not as expected; `locked`: another transaction in
 * flight uses an input; `passed`: its fence is another than the next one; `quarantines`: too many of the caller's
 * transactions are in quarantine. The claim keeps the bytes and the user's signature, so that a lost job can be made
 * again.
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
  readonly reached: readonly ReachedThreshold[];
}

/** The same for several in one call. */
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

/**
 * claimed → reserved (or available past the deadline). For an orphaned claim: the caller has made sure that it has no job.
 * False when the claim has changed or its lease is not over.
 */
export async function releaseClaim(
  redis: CoinStoreRedis,
  sponsor: string,
  claim: { reservationId: number; fence: number; retentionMs: number },
): Promise<boolean> {
  const { reservationId, fence, retentionMs } = claim;
  const args = [reservationId, fence, retentionMs];
  return (await runScript(redis, 'release-claim', sponsor, ...args)) === 1;
}

export interface InFlightQuery {
  readonly state: 'claimed' | 'executing' | 'quarantined';
  /** Least time since the end of a claim's lease, or since an execution was begun or resumed. */
  readonly olderThanMs: number;
  readonly limit: number;
  readonly skip?: number;
}

/** Claims whose lease has ended, or executions; oldest first. */
export async function listInFlight(
  redis: CoinStoreRedis,
  sponsor: string,
  { state, olderThanMs, limit, skip = 0 }: InFlightQuery,
): Promise<{ readonly listed: readonly InFlight[]; readonly hasMore: boolean }> {
  const reply = await runScript(redis, 'list-in-flight', sponsor, state, olderThanMs, limit, skip);
  const [read, entries] = reply as [number, [string, string, string][]];
  const listed = entries.map(([id, digest, fence]) => ({
    sponsor,
    reservationId: Number(id),
    digest: readEscaped(digest),
    fence: Number(fence),
  }));
  return { listed, hasMore: read === limit };
}

/** Stored form of a waiter: `gateway|type`. */
export function writeWaiter(waiter: Waiter): string {
  return escapeText(`${waiter.gateway}|${waiter.requestType}`);
}

/** Reads a list of waiters, comma-separated. */
export function readWaiters(text: string): Waiter[] {
  if (text === '') return [];
  return text.split(',').map((waiter) => {
    const [gateway = '', requestType] = readEscaped(waiter).split('|');
    return { gateway, requestType: requestType as RequestType };
  });
}
