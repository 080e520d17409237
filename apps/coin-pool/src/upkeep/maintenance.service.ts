import { Inject, Injectable } from '@nestjs/common';
import {
  abortMaintenance,
  beginMaintenance,
  bindMaintenance,
  type CoinStoreRedis,
  finishMaintenance,
  finishWithdrawal,
  type MaintenanceKind,
  placementRules,
} from '@forecourt/coin-store';
import {
  type BuiltTransaction,
  type GasCoin,
  type Ledger,
  settleFromEffects,
  type TransactionEffects,
} from '@forecourt/ledger';
import { retryUntilFresh } from '@forecourt/runtime/async';
import { passFailpoint } from '@forecourt/runtime/failpoints';
import { LEDGER } from '@forecourt/runtime/ledger';
import { type Logger, LOGGER, REDIS } from '@forecourt/runtime/service';
import { Signers } from '@forecourt/runtime/signers';
import { COIN_POOL_CONFIG, type CoinPoolConfig } from '../coin-pool-config.js';
import { PoolMetrics, type SubmissionOutcome } from '../metrics/pool-metrics.js';
import { RestartGuard } from '../pool/restart-guard.js';

/**
 * Lease of the process that runs an operation. After it any process may finish the operation; two at once do
 * no harm.
 */
export const LEASE_MS = 10_000;

/** `idle`: no transaction was worthwhile. */
export type MaintenanceOutcome = 'idle' | SubmissionOutcome;

type MaintenanceRequest = Omit<Parameters<typeof beginMaintenance>[2], 'leaseMs'>;

/**
 * Builds the transaction for the taken coins, or null when they are not worth one. `amount`: of each coin it
 * makes.
 */
type BuildMaintenance = (
  coins: readonly GasCoin[],
) => Promise<(BuiltTransaction & { readonly amount: bigint }) | null>;

/** A stored split, consolidation or withdrawal, bound to its transaction. */
export interface BoundOperation {
  readonly operationId: string;
  readonly kind: MaintenanceKind;
  readonly coins: readonly GasCoin[];
  readonly bytes: Uint8Array;
  readonly digest: string;
  /** Balance of each coin it makes, also for the receiver of a withdrawal; 0 when it makes none. */
  readonly amount: bigint;
}

/** Carries out splits, consolidations and withdrawals: the transactions of a sponsor's own. */
@Injectable()
export class MaintenanceService {
  constructor(
    @Inject(REDIS) private readonly redis: CoinStoreRedis,
    @Inject(LEDGER) private readonly ledger: Ledger,
    private readonly signers: Signers,
    @Inject(COIN_POOL_CONFIG)
    private readonly settings: CoinPoolConfig,
    private readonly guard: RestartGuard,
    private readonly metrics: PoolMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Moves coins into maintenance, binds them to a transaction, signs and submits it. `MaintenanceResolver`
   * finishes operations that a crash interrupts or whose outcome is unknown. Throws `Error` while the
   * sponsor's key cannot sign, so that no coin waits for it.
   */
  async run(
    sponsor: string,
    request: MaintenanceRequest,
    build: BuildMaintenance,
  ): Promise<MaintenanceOutcome> {
    const { outageMs = null } = this.signers.find(sponsor) ?? {};
    if (outageMs !== null) throw new Error('The sponsor’s key service does not sign at the moment');
    const begun = await beginMaintenance(this.redis, sponsor, { ...request, leaseMs: LEASE_MS });
    return begun ? this.carryOut(sponsor, request.kind, begun, build) : 'idle';
  }

  /**
   * Binds coins that are in maintenance to a transaction, signs and submits it; returns the coins when no
   * transaction is worthwhile.
   */
  async carryOut(
    sponsor: string,
    kind: MaintenanceKind,
    { operationId, coins }: Pick<BoundOperation, 'coins' | 'operationId'>,
    build: BuildMaintenance,
  ): Promise<MaintenanceOutcome> {
    passFailpoint('coin-pool:after-take-aside');
    const built = await build(coins);
    if (built) return this.submit(sponsor, { operationId, kind, coins, ...built });
    await abortMaintenance(this.redis, sponsor, { operationId });
    return 'idle';
  }

  /**
   * Binds an operation to its transaction, signs and submits it, and records the outcome. Throws `Error`
   * without the sponsor's key.
   */
  async submit(sponsor: string, operation: BoundOperation): Promise<SubmissionOutcome> {
    const { logger, redis, metrics } = this;
    const signature = await this.bindAndSign(sponsor, operation);
    if (signature === null) return 'overtaken';
    const submission = await this.ledger.submit(operation.bytes, [signature]);
    const { operationId, kind, digest } = operation;
    if (submission.kind === 'executed') {
      passFailpoint('coin-pool:after-split');
      return this.finish(sponsor, operation, submission.effects);
    }
    const { kind: answer, message } = submission;
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
   * Binds an operation, or renews its lease, and signs; null when another process has ended it. A process
   * that was paused in between asks Redis again: a Redis that lost the operation may have handed out its
   * coins.
   */
  private async bindAndSign(
    sponsor: string,
    { operationId, digest, amount, bytes }: BoundOperation,
  ): Promise<string | null> {
    const signer = this.signers.find(sponsor);
    if (!signer) throw new Error(`This coin-pool has no key for sponsor ${sponsor}`);
    const txBytes = Buffer.from(bytes).toString('base64');
    const binding = { operationId, digest, txBytes, amount, leaseMs: LEASE_MS };
    let signature: string | null = null;
    const watermark = await retryUntilFresh(this.settings.submitWithinMs, async () => {
      const bound = await bindMaintenance(this.redis, sponsor, binding);
      passFailpoint('coin-pool:after-bind');
      if (bound !== null) signature ??= await signer.signTransaction(bytes);
      return bound;
    });
    if (watermark === null) return null;
    this.guard.remember(sponsor, watermark);
    return signature;
  }

  /**
   * Records an executed operation, including one that failed on the ledger and cost its gas. Does not query
   * the ledger.
   */
  async finish(
    sponsor: string,
    { operationId, kind, coins, amount }: BoundOperation,
    effects: TransactionEffects,
  ): Promise<'made' | 'failed'> {
    const { redis, metrics, logger } = this;
    const { transactionDigest: digest } = effects;
    const made = (effects.created ?? []).map(({ reference }) => ({
      objectId: reference.objectId,
      version: Number(reference.version),
      digest: reference.digest,
      balance: amount,
    }));
    const spent = amount * BigInt(made.length);
    // A withdrawal makes the coin of its receiver.
    const created = kind === 'withdrawal' ? [] : made;
    const { gasCoin, gasCharged } = settleFromEffects(effects, coins, sponsor, spent);
    const hasSucceeded = effects.status.status === 'success';
    const returned = gasCoin ? [gasCoin] : [];
    const rules = placementRules(this.settings.targetBalance);
    const finished = { operationId, returned, created, rules, gasCharged };
    // A withdrawal that failed in Move has cost gas and moved nothing.
    const isFirst =
      kind === 'withdrawal' && hasSucceeded
        ? await finishWithdrawal(redis, sponsor, {
            operationId,
            gasCharged,
            digest,
            sent: amount,
            remaining: returned,
            rules,
          })
        : await finishMaintenance(redis, sponsor, finished);
    if (isFirst) {
      metrics.maintenance.add({ kind, outcome: hasSucceeded ? 'made' : 'failed' });
      metrics.coinsMade.add({}, created.length);
      if (kind === 'fold' && hasSucceeded) metrics.coinsConsolidated.add({}, coins.length - 1);
      metrics.countGas('maintenance', gasCharged);
      if (kind === 'withdrawal' && hasSucceeded) {
        const sent = amount === 0n ? null : String(amount);
        logger.info({ sponsor, digest, coins: coins.length, amount: sent }, 'Funds withdrawn');
      }
    }
    if (hasSucceeded) return 'made';
    const fields = { sponsor, digest, error: effects.status.error, gasCharged: String(gasCharged) };
    logger.error(fields, 'Maintenance failed on the ledger');
    return 'failed';
  }
}
