import type { GasCoin } from '@forecourt/ledger';
import { readCoinList } from '../pool/coin-record.js';
import { escapeText, readEscaped } from '../scripts/escape-text.js';
import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';

/** The reason why the coins of a transaction that was not executed stay bound to it. */
export interface Quarantine {
  /** The ledger's own text; empty: no node reported an outcome. */
  readonly message: string;
  /** Of the last submission, the caller's or the sponsor's own. */
  readonly epoch: bigint;
  /** Digest of the sponsor's own transaction that moves the coins; null: there is none yet. */
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

/** The claim that an executor begins. */
export interface BegunClaim {
  readonly reservationId: number;
  readonly digest: string;
  readonly fence: number;
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
  const replies = (await runOnPool(
    redis,
    'begin-execution',
    sponsor,
    escapeText(executor),
    ...claims.flatMap(({ reservationId, digest, fence }) => [
      reservationId,
      escapeText(digest),
      fence,
    ]),
  )) as (string[] | null)[];
  return replies.map((reply) => (reply === null ? null : readBegun(reply)));
}

function readBegun(reply: readonly string[]): BegunExecution | Error {
  const [stateBefore, payload = '', budget, coins = '', message = '', ...rest] = reply;
  if (stateBefore === 'failed') return new Error(payload);
  const [epoch = '', movedOnBy = '', caller = '', rule = '', age, unknownIn, isExcluded] = rest;
  const [txBytes = '', userSig = ''] = payload.split('\t');
  return {
    resumed: stateBefore !== 'claimed',
    unknownIn: unknownIn ? BigInt(unknownIn) : null,
    quarantine:
      stateBefore === 'quarantined'
        ? {
            message: readEscaped(message),
            epoch: BigInt(epoch),
            movedOnBy: readEscaped(movedOnBy) || null,
            ageMs: Number(age),
            isExcluded: Number(isExcluded) === 1,
          }
        : null,
    txBytes: readEscaped(txBytes),
    userSig: readEscaped(userSig),
    gasBudget: Number(budget),
    coins: readCoinList(coins),
    caller: readEscaped(caller),
    rule: readEscaped(rule),
  };
}
