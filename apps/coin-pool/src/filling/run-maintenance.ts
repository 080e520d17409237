import {
  abortMaintenance,
  beginMaintenance,
  bindMaintenance,
  finishMaintenance,
  finishWithdrawal,
  type MaintenanceKind,
} from '@forecourt/coin-store';
import { passFailpoint } from '@forecourt/runtime/failpoints';
import {
  type BuiltTransaction,
  type GasCoin,
  settleFromEffects,
  type TransactionEffects,
} from '@forecourt/ledger';
import type { MaintenanceDependencies } from './maintenance-dependencies.js';
import type { MaintenanceOutcome, SubmissionOutcome } from './maintenance-outcome.js';

/** How long an operation is left to the process that runs it. Then any process may finish it; two at once do no harm. */
export const LEASE_MS = 10_000;

export type MaintenanceRequest = Omit<Parameters<typeof beginMaintenance>[2], 'leaseMs'>;

/** Builds the transaction for the coins taken, or null when they are not worth one. `amount`: of each coin it makes. */
export type BuildMaintenance = (
  coins: readonly GasCoin[],
) => Promise<(BuiltTransaction & { readonly amount: bigint }) | null>;

/** A split, consolidation or withdrawal as the store has it, bound to its transaction. */
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
 * Moves coins into maintenance, binds them to a transaction, signs and submits it. `resolveMaintenance` finishes what a
 * crash interrupts or whose outcome is unknown.
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

/** Binds coins that are in maintenance to a transaction, signs and submits it; returns them where none is worthwhile. */
export async function carryOut(
  dependencies: MaintenanceDependencies,
  sponsor: string,
  kind: MaintenanceKind,
  { operationId, coins }: Pick<BoundOperation, 'operationId' | 'coins'>,
  build: BuildMaintenance,
): Promise<MaintenanceOutcome> {
  const { redis, watermarks } = dependencies;
  passFailpoint('coin-pool:after-take-aside');
  const built = await build(coins);
  if (!built) {
    await abortMaintenance(redis, sponsor, { operationId });
    return 'idle';
  }
  const txBytes = Buffer.from(built.bytes).toString('base64');
  const { digest, amount } = built;
  const binding = { operationId, digest, txBytes, amount, leaseMs: LEASE_MS };
  const watermark = await bindMaintenance(redis, sponsor, binding);
  if (watermark === null) return 'overtaken';
  watermarks.remember(sponsor, watermark);
  passFailpoint('coin-pool:after-bind');
  return submitMaintenance(dependencies, sponsor, {
    operationId,
    kind,
    coins,
    ...built,
  });
}

/** Signs and submits a bound operation, and records the outcome. Throws `Error` without the sponsor's key. */
export async function submitMaintenance(
  dependencies: MaintenanceDependencies,
  sponsor: string,
  operation: BoundOperation,
): Promise<SubmissionOutcome> {
  const { ledger, signers, logger, redis, metrics } = dependencies;
  const signer = signers.find(({ address }) => address === sponsor);
  if (!signer) throw new Error(`This coin-pool has no key for sponsor ${sponsor}`);
  const submission = await ledger.submit(operation.bytes, [
    await signer.signTransaction(operation.bytes),
  ]);
  const { operationId, kind, digest } = operation;
  switch (submission.kind) {
    case 'executed':
      passFailpoint('coin-pool:after-split');
      return finish(dependencies, sponsor, operation, submission.effects);
    case 'refused':
      logger.error(
        { sponsor, digest, message: submission.message },
        'Maintenance refused by the ledger',
      );
      await abortMaintenance(redis, sponsor, { operationId, digest });
      metrics.maintenance.add({ kind, outcome: 'failed' });
      return 'failed';
    case 'conflict':
    case 'missing':
    case 'unknown': {
      logger.warn({ sponsor, digest, message: submission.message }, 'Maintenance outcome unknown');
      const outcome = submission.kind === 'unknown' ? 'unknown' : 'conflict';
      metrics.maintenance.add({ kind, outcome });
      return outcome;
    }
  }
}

/** Records an executed operation, including one that failed on the ledger and cost its gas. Does not query the ledger. */
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
