import { randomUUID } from 'node:crypto';
import type { GasCoin } from '@forecourt/ledger';
import type { WithheldCoins } from '../executions/settle-executions.js';
import type { PlacementRules } from '../pool/placement-rules.js';
import { readCoinList, writeCoins } from '../pool/stored-coins.js';
import { type CoinStoreRedis, fieldsOf, recordsOf, runScript } from '../scripts/run-script.js';

/**
 * Stored, and a label of metrics. `fold`: a consolidation. `lost`: not an operation but a coin that is
 * withheld (rebuild-pool.lua).
 */
export type MaintenanceKind = 'split' | 'fold' | 'withdrawal' | 'lost';

export interface MaintenanceOperation {
  readonly operationId: string;
  readonly kind: MaintenanceKind;
  /** Null until it is bound to a transaction. */
  readonly digest: string | null;
  /** Base64; null until it is bound. */
  readonly txBytes: string | null;
  /** Balance of each coin it makes, also for the receiver of a withdrawal; 0 when it makes none. */
  readonly amount: bigint;
  readonly coins: readonly GasCoin[];
  readonly leaseOver: boolean;
}

/** Every split, consolidation and withdrawal in progress. */
export async function listMaintenance(
  redis: CoinStoreRedis,
  sponsor: string,
): Promise<MaintenanceOperation[]> {
  const reply = await runScript(redis, 'list-maintenance', sponsor);
  const operations = reply as [id: string, leaseOver: number, pairs: string[]][];
  return operations.map(([operationId, leaseOver, pairs]) => {
    const field = fieldsOf(pairs);
    return {
      operationId,
      kind: field('kind') as MaintenanceKind,
      coins: readCoinList(field('coins')),
      digest: field('digest') || null,
      txBytes: field('bytes') || field('payment') || null,
      leaseOver: leaseOver === 1,
      amount: BigInt(field('amount')),
    };
  });
}

/**
 * Takes coins for a split or consolidation: the largest of the treasury, the oldest dust, or the first of the
 * largest class available. Null when there are none, the sponsor is drained or the pool is suspended.
 */
export async function beginMaintenance(
  redis: CoinStoreRedis,
  sponsor: string,
  request: {
    kind: Exclude<MaintenanceKind, 'withdrawal' | 'lost'>;
    from: 'treasury' | 'dust' | 'available';
    maxCoins: number;
    /** Lease of the operation without a transaction. */
    leaseMs: number;
  },
): Promise<{ operationId: string; coins: GasCoin[] } | null> {
  const operationId = randomUUID();
  const reply = (await runScript(
    redis,
    'begin-maintenance',
    sponsor,
    operationId,
    request.kind,
    request.from,
    request.maxCoins,
    request.leaseMs,
  )) as string | null;
  return reply === null ? null : { operationId, coins: readCoinList(reply) };
}

/**
 * Binds an operation to its transaction, before that is signed; again to the same one, renews its lease and
 * marks it as resumed. Returns the pool's watermark; null: the operation is over or bound to another, its
 * order has ended, or it would send more than is left of the ordered amount; do not sign.
 */
export async function bindMaintenance(
  redis: CoinStoreRedis,
  sponsor: string,
  binding: {
    operationId: string;
    digest: string;
    /** Base64. */
    txBytes: string;
    /** Balance of each coin that the transaction makes; 0 when it makes none. */
    amount: bigint;
    leaseMs: number;
  },
): Promise<number | null> {
  const { operationId, digest, txBytes, amount, leaseMs } = binding;
  const args = [operationId, digest, txBytes, leaseMs, String(amount)];
  return Number(await runScript(redis, 'bind-maintenance', sponsor, ...args)) || null;
}

/**
 * Ends an operation that the ledger has executed: `returned` are its remaining coins, `created` its new ones;
 * coins in neither leave the pool. `mayBeSent`: an amount that it withdraws may have left with its coins, so
 * that no other transaction sends it. False when it was finished before.
 */
export async function finishMaintenance(
  redis: CoinStoreRedis,
  sponsor: string,
  result: {
    operationId: string;
    returned: readonly GasCoin[];
    created: readonly GasCoin[];
    rules: PlacementRules;
    gasCharged: bigint;
    mayBeSent?: boolean;
    withheld?: WithheldCoins;
  },
): Promise<boolean> {
  const reply = await runScript(
    redis,
    'finish-maintenance',
    sponsor,
    result.operationId,
    String(result.gasCharged),
    result.mayBeSent ? 1 : 0,
    String(result.withheld?.epoch ?? ''),
    ...recordsOf(writeCoins(result.returned, result.rules)),
    ...recordsOf(writeCoins(result.withheld?.coins ?? [], result.rules)),
    ...recordsOf(writeCoins(result.created, result.rules)),
  );
  return reply === 1;
}

/**
 * Returns an operation's coins to their previous places. Only for one that was never signed, or whose only
 * submission is certainly refused. `digest`: the caller's record of its bound transaction; null or absent:
 * none. False when it is over, bound to another one, or bound more than once: an earlier submission may land.
 */
export async function abortMaintenance(
  redis: CoinStoreRedis,
  sponsor: string,
  { operationId, digest }: { operationId: string; digest?: string | null },
): Promise<boolean> {
  const args = [operationId, digest ?? ''];
  return (await runScript(redis, 'abort-maintenance', sponsor, ...args)) === 1;
}
