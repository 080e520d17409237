import {
  abortMaintenance,
  beginMaintenance,
  bindMaintenance,
  finishMaintenance,
  finishWithdrawal,
  type MaintenanceKind,
} from '@forecourt/coin-store';
import { untilRecent } from '@forecourt/runtime/async';
import { passFailpoint } from '@forecourt/runtime/failpoints';
import {
  type BuiltTransaction,
  type GasCoin,
  settleFromEffects,
  type TransactionEffects,
} from '@forecourt/ledger';
import type { MaintenanceDependencies } from './maintenance-dependencies.js';
import type { MaintenanceOutcome, SubmissionOutcome } from './maintenance-outcome.js';

/**
 * Lease of the process that runs an operation. After it any process may finish the operation; two at once do no
 * harm.
 */
export const LEASE_MS = 10_000;

export type MaintenanceRequest = Omit<Parameters<typeof beginMaintenance>[2], 'leaseMs'>;

/**
 * Builds the transaction for the taken coins, or null when they are not worth one. `amount`: of each coin it makes.
 */
export type BuildMaintenance = (
  coins: readonly GasCoin[],
) => Promise<(BuiltTransaction & { readonly amount: bigint }) | null>;

/** A stored split, consolidation or withdrawal, bound to its transaction. */
export interface BoundOperation {
  readonly operationId: string;
  readonly kind: MaintenanceKind;
  readonly coins: readonly GasCoin[];
  readonly bytes: Uint8Array;
  readonly digest: string;
  /** Balance of each coin it makes; 0 when it makes none. */
  readonly amount: bigint;
}

/**
 * Moves coins into maintenance, binds them to a transaction, signs and submits it. `resolveMaintenance` finishes
 * operations that a crash interrupts or whose outcome is unknown.
 */
export async function runMaintenance(
  dependencies: MaintenanceDependencies,
  sponsor: string,
  request: MaintenanceRequest,
  build: BuildMaintenance,
): Promise<MaintenanceOutcome> {
  const { redis } = dependencies;
  const begun = await beginMaintenance(redis, sponsor, { ...request, leaseMs: LEASE_MS });
  return begun ? carryOut(dependencies, sponsor, request.kind, begun, build) : 'idle';
}

/**
 * Binds coins that are in maintenance to a transaction, signs and submits it; returns the coins when no transaction
 * is worthwhile.
 */
export async function carryOut(
  dependencies: MaintenanceDependencies,
  sponsor: string,
  kind: MaintenanceKind,
  { operationId, coins }: Pick<BoundOperation, 'operationId' | 'coins'>,
  build: BuildMaintenance,
): Promise<MaintenanceOutcome> {
  passFailpoint('coin-pool:after-take-aside');
  const built = await build(coins);
  if (built)
    return submitMaintenance(dependencies, sponsor, { operationId, kind, coins, ...built });
  await abortMaintenance(dependencies.redis, sponsor, { operationId });
  return 'idle';
}

/**
 * Binds an operation to its transaction, signs and submits it, and records the outcome. Throws `Error` without the
 * sponsor's key.
 */
export async function submitMaintenance(
  dependencies: MaintenanceDependencies,
  sponsor: string,
  operation: BoundOperation,
): Promise<SubmissionOutcome> {
  const { ledger, logger, redis, metrics } = dependencies;
  const signature = await bindAndSign(dependencies, sponsor, operation);
  if (signature === null) return 'overtaken';
  const submission = await ledger.submit(operation.bytes, [signature]);
  const { operationId, kind, digest } = operation;
  const { kind: answer } = submission;
  if (answer === 'executed') {
    passFailpoint('coin-pool:after-split');
    return finish(dependencies, sponsor, operation, submission.effects);
  }
  const { message } = submission;
  // Only after the first submission: another one may land in spite of this refusal.
  if (answer === 'refused' && (await abortMaintenance(redis, sponsor, { operationId, digest }))) {
    logger.error({ sponsor, digest, message }, 'Maintenance refused by the ledger');
    metrics.maintenance.add({ kind, outcome: 'failed' });
    return 'failed';
  }
  logger.warn({ sponsor, digest, message }, 'Maintenance outcome unknown');
  const outcome = answer === 'unknown' ? 'unknown' : 'conflict';
  metrics.maintenance.add({ kind, outcome });
  return outcome;
}

/**
 * Binds an operation, or renews its lease, and signs; null when another process has ended it. A process that was
 * paused in between asks Redis again: a Redis that lost the operation may have handed out its coins.
 */
async function bindAndSign(
  { redis, signers, watermarks, settings }: MaintenanceDependencies,
  sponsor: string,
  { operationId, digest, amount, bytes }: BoundOperation,
): Promise<string | null> {
  const signer = signers.find(({ address }) => address === sponsor);
  if (!signer) throw new Error(`This coin-pool has no key for sponsor ${sponsor}`);
  const txBytes = Buffer.from(bytes).toString('base64');
  const binding = { operationId, digest, txBytes, amount, leaseMs: LEASE_MS };
  let signature: string | null = null;
  const watermark = await untilRecent(settings.submitWithinMs, async () => {
    const bound = await bindMaintenance(redis, sponsor, binding);
    passFailpoint('coin-pool:after-bind');
    if (bound !== null) signature ??= await signer.signTransaction(bytes);
    return bound;
  });
  if (watermark === null) return null;
  watermarks.remember(sponsor, watermark);
  return signature;
}

/**
 * Records an executed operation, including one that failed on the ledger and cost its gas. Does not query the
 * ledger.
 */
export async function finish(
  { redis, rules, logger, metrics }: MaintenanceDependencies,
  sponsor: string,
  {
    operationId,
    kind,
    coins,
    amount,
  }: Pick<BoundOperation, 'operationId' | 'kind' | 'coins' | 'amount'>,
  effects: TransactionEffects,
): Promise<'made' | 'failed'> {
  const created = (effects.created ?? []).map(({ reference }) => ({
    objectId: reference.objectId,
    version: Number(reference.version),
    digest: reference.digest,
    balance: amount,
  }));
  const spent = amount * BigInt(created.length);
  const { gasCoin, gasCharged } = settleFromEffects(effects, coins, sponsor, spent);
  const { transactionDigest: digest } = effects;
  const { status, error } = effects.status;
  const returned = gasCoin ? [gasCoin] : [];
  // A withdrawal that failed in Move has cost gas and moved nothing.
  const isFirst =
    kind === 'withdrawal' && status === 'success'
      ? await finishWithdrawal(redis, sponsor, { operationId, gasCharged, digest })
      : await finishMaintenance(redis, sponsor, {
          operationId,
          returned,
          created,
          rules,
          gasCharged,
        });
  if (isFirst) {
    metrics.maintenance.add({ kind, outcome: status === 'success' ? 'made' : 'failed' });
    metrics.coinsMade.add({}, created.length);
    if (kind === 'fold' && status === 'success')
      metrics.coinsConsolidated.add({}, coins.length - 1);
    metrics.countGas('maintenance', gasCharged);
    if (kind === 'withdrawal' && status === 'success') {
      logger.info({ sponsor, digest, coins: coins.length }, 'Funds withdrawn');
    }
  }
  if (status === 'success') return 'made';
  logger.error(
    { sponsor, digest, error, gasCharged: String(gasCharged) },
    'Maintenance failed on the ledger',
  );
  return 'failed';
}
