import {
  type ExecutionReply,
  executionReplyChannel,
  type SettledResult,
  type Waiter,
} from '@forecourt/contracts';
import type { GasCoin } from '@forecourt/ledger';
import { type PlacementRules, readCoinList, writeCoins } from '../pool/pool-coins.js';
import { type BegunClaim, readWaiters, writeClaimName } from '../reservations/reservations.js';
import {
  type CoinStoreRedis,
  escapeText,
  listOf,
  readEscaped,
  recordsOf,
  runScript,
} from '../scripts/prepare-coin-store.js';

/** The reason why the coins of a transaction that was not executed stay bound to it. */
export interface Quarantine {
  /** The ledger's own text; empty: no node reported an outcome. */
  readonly message: string;
  /** Of the last submission, the caller's or the sponsor's own. */
  readonly epoch: bigint;
  /** Digest of the sponsor's own transaction that moves the coins; null until it has sent one. */
  readonly movedOnBy: string | null;
  /** Since it began, or since the sponsor's own transaction was recorded, by Redis's clock. */
  readonly ageMs: number;
  /** The ledger has proven that the transaction can never be executed. */
  readonly isExcluded: boolean;
}

export interface BegunExecution {
  /** An executor has begun it before: the ledger may know the digest already. */
  readonly resumed: boolean;
  /**
   * The epoch in which every earlier submission had ended without a known outcome; null: one may still be under
   * way.
   */
  readonly unknownIn: bigint | null;
  /** Set when the transaction is in quarantine. */
  readonly quarantine: Quarantine | null;
  /** Base64. */
  readonly txBytes: string;
  /** Base64. */
  readonly userSig: string;
  readonly gasBudget: number;
  readonly coins: readonly GasCoin[];
  readonly caller: string;
  /** Name of the access rule that allowed it; empty without one. */
  readonly rule: string;
}

/**
 * claimed → executing, before the transaction is signed. Null when the claim has changed: the caller must not sign.
 */
export async function beginExecution(
  redis: CoinStoreRedis,
  sponsor: string,
  { executor, ...claim }: BegunClaim & { readonly executor: string },
): Promise<BegunExecution | null> {
  const [begun] = await beginExecutions(redis, sponsor, executor, [claim]);
  if (begun instanceof Error) throw begun;
  return begun!;
}

/**
 * The same for several in one call. Returns an `Error` for each one that cannot be begun because its stored state
 * is invalid.
 */
export async function beginExecutions(
  redis: CoinStoreRedis,
  sponsor: string,
  executor: string,
  claims: readonly BegunClaim[],
): Promise<(BegunExecution | null | Error)[]> {
  const args = claims.flatMap(writeClaimName);
  const replies = await runScript(redis, 'begin-execution', sponsor, escapeText(executor), ...args);
  return (replies as BeginReply[]).map(readBegun);
}

type BeginReply =
  | [tag: 'gone']
  | [tag: 'failed', message: string]
  | [
      tag: 'begun',
      stateBefore: string,
      payload: string | null,
      budget: string,
      coins: string,
      caller: string,
      rule: string,
      unknownIn: string,
      ...quarantine: Partial<QuarantineReply>,
    ];

type QuarantineReply = [
  message: string,
  epoch: string,
  movedOnBy: string,
  ageMs: string,
  isExcluded: number,
];

function readBegun(reply: BeginReply): BegunExecution | null | Error {
  if (reply[0] === 'gone') return null;
  if (reply[0] === 'failed') return new Error(reply[1]);
  const [, stateBefore, payload, budget, coins, caller, rule, unknownIn, ...quarantine] = reply;
  const [txBytes = '', userSig = ''] = (payload ?? '').split('\t');
  return {
    resumed: stateBefore !== 'claimed',
    unknownIn: unknownIn ? BigInt(unknownIn) : null,
    quarantine: readQuarantine(quarantine),
    txBytes: readEscaped(txBytes),
    userSig: readEscaped(userSig),
    gasBudget: Number(budget),
    coins: readCoinList(coins),
    caller: readEscaped(caller),
    rule: readEscaped(rule),
  };
}

function readQuarantine(reply: Partial<QuarantineReply>): Quarantine | null {
  const [message, epoch = '', movedOnBy = '', ageMs, isExcluded] = reply;
  if (message === undefined) return null;
  return {
    message: readEscaped(message),
    epoch: BigInt(epoch),
    movedOnBy: readEscaped(movedOnBy) || null,
    ageMs: Number(ageMs),
    isExcluded: isExcluded === 1,
  };
}

/** A transaction that the ledger refused. */
export interface Refusal extends BegunClaim {
  /** The ledger's own text. */
  readonly message: string;
  readonly retentionMs: number;
  /** How long ago each submission was made that history does not know yet, in ms. */
  readonly submissions?: readonly number[];
}

/**
 * executing → reserved until the deadline, available after it: the ledger refused the transaction and no validator
 * can hold its coins. `refused` is false when the claim has changed, or a second executor has begun it: the first
 * one then cannot rule out another submission.
 */
export async function refuseExecution(
  redis: CoinStoreRedis,
  sponsor: string,
  refusal: Refusal,
): Promise<{ refused: boolean; waiters: Waiter[] }> {
  const { message, retentionMs, submissions = [] } = refusal;
  const named = writeClaimName(refusal);
  const args = [...named, escapeText(message), retentionMs, ...listOf(submissions)];
  const reply = (await runScript(redis, 'refuse-execution', sponsor, ...args)) as string | null;
  return { refused: reply !== null, waiters: readWaiters(reply ?? '') };
}

/** Submissions of an executor, and their end. */
export interface UnknownOutcome {
  /** When every submission had ended; null: they go on, or no node reports it. */
  readonly epoch: bigint | null;
  /** How long ago each submission was made that history does not know yet, in ms. */
  readonly submissions?: readonly number[];
}

/**
 * Records submissions for history. With an epoch: every submission by this executor has ended, and the outcome is unknown. Changes
 * nothing when the claim has changed, or when another executor has begun it since.
 */
export async function noteUnknown(
  redis: CoinStoreRedis,
  sponsor: string,
  executor: string,
  claim: BegunClaim,
  { epoch, submissions = [] }: UnknownOutcome,
): Promise<void> {
  const named = [...writeClaimName(claim), escapeText(executor)];
  const args = [...named, epoch === null ? '' : String(epoch), ...listOf(submissions)];
  await runScript(redis, 'note-unknown', sponsor, ...args);
}

/**
 * executing → claimed: the sponsor's key cannot sign at the moment, and this executor has submitted nothing. A claim that
 * another executor has begun too stays as it is. Returns the waiters; null when the claim has changed.
 */
export async function deferExecution(
  redis: CoinStoreRedis,
  sponsor: string,
  executor: string,
  claim: BegunClaim,
): Promise<readonly Waiter[] | null> {
  const args = [...writeClaimName(claim), escapeText(executor)];
  const reply = (await runScript(redis, 'defer-execution', sponsor, ...args)) as string | null;
  return reply === null ? null : readWaiters(reply);
}

/** More of a caller's quarantines cannot count. */
const MOST_QUARANTINES = 1_000;

/** A transaction that was not executed so far, but may still be. */
export interface QuarantineRequest extends BegunClaim {
  /** The ledger's own text; empty: no node reported the outcome. */
  readonly message: string;
  /** The ledger's epoch when it was last submitted. */
  readonly epoch: bigint;
  /** Digest of the sponsor's own transaction that is about to move the coins on. */
  readonly movedOnBy?: string;
  /** No refusal that the caller could have caused: it does not count against its limit. */
  readonly isExcused?: boolean;
  /** How long ago each submission was made that history does not know yet, in ms. */
  readonly submissions?: readonly number[];
}

/**
 * executing → quarantined: validators may hold the coins for the transaction. `quarantined` is false when it was
 * quarantined before (its epoch and `movedOnBy` are then renewed), or the claim has changed. `isCurrent`: the claim has
 * not changed, so that its coins are still bound to it.
 */
export async function quarantineExecution(
  redis: CoinStoreRedis,
  sponsor: string,
  request: QuarantineRequest,
): Promise<{ quarantined: boolean; isCurrent: boolean }> {
  const { message, epoch, movedOnBy = '', isExcused = false, submissions = [] } = request;
  const args = [
    ...writeClaimName(request),
    escapeText(message),
    String(epoch),
    escapeText(movedOnBy),
    Number(isExcused),
    ...listOf(submissions),
  ];
  const reply = await runScript(redis, 'quarantine-execution', sponsor, ...args);
  return { quarantined: reply === 'quarantined', isCurrent: reply !== 'gone' };
}

/**
 * Records that a quarantined transaction can never be executed: its callers may have the refusal, and its inputs
 * are free. The coins stay bound. Null when the claim has changed or this was recorded before; otherwise the
 * waiters for the outcome.
 */
export async function excludeExecution(
  redis: CoinStoreRedis,
  sponsor: string,
  claim: BegunClaim,
): Promise<Waiter[] | null> {
  const reply = await runScript(redis, 'exclude-execution', sponsor, ...writeClaimName(claim));
  return reply === null ? null : readWaiters(reply as string);
}

/** How long ago each quarantine of a pool began that counts against its caller, in ms, by caller. */
export async function listQuarantines(
  redis: CoinStoreRedis,
  sponsor: string,
): Promise<Map<string, number[]>> {
  const listed = await runScript(redis, 'list-quarantines', sponsor, MOST_QUARANTINES);
  const byCaller = (listed as [caller: string, ages: number[]][]).filter(([, ages]) => ages.length);
  return new Map(byCaller.map(([caller, ages]) => [readEscaped(caller), ages]));
}

/** The final outcome of an execution. */
export interface Settlement {
  readonly reservationId: number;
  readonly digest: string;
  /**
   * `refused` ends a transaction that can never land, out of quarantine. `unmoved`: the same, with unchanged coins;
   * it settles nothing once the sponsor's own transaction is recorded, which may still move them.
   */
  readonly outcome: 'executed' | 'refused' | 'unmoved';
  /** The reservation's coins that are still the sponsor's, at their current versions; the others leave the pool. */
  readonly returned: readonly GasCoin[];
  readonly rules: PlacementRules;
  /** Retention of the outcome, which answers retries. */
  readonly retentionMs: number;
  /** In the smallest unit; negative when the rebate exceeded the cost. */
  readonly gasCharged: bigint;
  /** The sponsor's cost, which gas limits count, in the smallest unit: 0 or more. */
  readonly cost: bigint;
  /** The charged gas, for history; absent or null: none was charged. */
  readonly result?: SettledResult | null;
  /** How long ago each submission was made that history does not know yet, in ms. */
  readonly submissions?: readonly number[];
  /** The message to the waiters, sent in the same step. */
  readonly reply?: ExecutionReply;
}

export interface Settled {
  /** False when it was settled before, or cannot be as `unmoved`. */
  readonly settled: boolean;
  readonly waiters: readonly Waiter[];
}

/** executing or quarantined → available: the outcome of the transaction is final. */
export async function settleExecution(
  redis: CoinStoreRedis,
  sponsor: string,
  settlement: Settlement,
): Promise<Settled> {
  const [settled] = await settleExecutions(redis, sponsor, [settlement]);
  if (settled instanceof Error) throw settled;
  return settled!;
}

/**
 * The same for several in one call. Returns an `Error` for each one that cannot be settled because its stored state
 * is invalid.
 */
export async function settleExecutions(
  redis: CoinStoreRedis,
  sponsor: string,
  settlements: readonly Settlement[],
): Promise<(Settled | Error)[]> {
  const replies = await runScript(
    redis,
    'settle-execution',
    sponsor,
    executionReplyChannel(''),
    ...settlements.flatMap(writeSettlement),
  );
  return (replies as SettleReply[]).map(readSettled);
}

function writeSettlement(settlement: Settlement): (string | number)[] {
  const { reply, result, returned, rules, submissions = [] } = settlement;
  return [
    ...recordsOf(writeCoins(returned, rules)),
    ...listOf(submissions),
    settlement.reservationId,
    escapeText(settlement.digest),
    settlement.outcome,
    settlement.retentionMs,
    String(settlement.gasCharged),
    String(settlement.cost),
    result ? JSON.stringify(result) : '',
    reply ? JSON.stringify(reply) : '',
  ];
}

type SettleReply =
  [tag: 'passed'] | [tag: 'settled', waiters: string] | [tag: 'failed', message: string];

function readSettled(reply: SettleReply): Settled | Error {
  if (reply[0] === 'failed') return new Error(reply[1]);
  return reply[0] === 'settled'
    ? { settled: true, waiters: readWaiters(reply[1]) }
    : { settled: false, waiters: [] };
}
