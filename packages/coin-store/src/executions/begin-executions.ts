import { escapeText, readEscaped } from '@forecourt/contracts';
import type { GasCoin } from '@forecourt/ledger';
import { readCoinList } from '../pool/stored-coins.js';
import { type BegunClaim, writeClaimName } from '../reservations/claim-names.js';
import { type CoinStoreRedis, runScript } from '../scripts/run-script.js';

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
  /**
   * An executor has begun it before, perhaps on another server of Redis: the ledger may know the digest
   * already.
   */
  readonly resumed: boolean;
  /**
   * The epoch in which every earlier submission had ended without a known outcome; null: one may still be
   * under way.
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
 * claimed → executing, before the transactions are signed. Null for a claim that has changed: the caller must
 * not sign. An `Error` for one that cannot be begun because its stored state is invalid.
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
