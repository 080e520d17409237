import { Inject, Injectable } from '@nestjs/common';
import {
  abortMaintenance,
  type CoinStoreRedis,
  finishMaintenance,
  listMaintenance,
  placementRules,
} from '@forecourt/coin-store';
import { compareCoins, type DecodedTransaction, type Ledger } from '@forecourt/ledger';
import { LEDGER } from '@forecourt/runtime/ledger';
import { type Logger, LOGGER, REDIS } from '@forecourt/runtime/service';
import { COIN_POOL_CONFIG, type CoinPoolConfig } from '../coin-pool-config.js';
import { PoolMetrics } from '../metrics/pool-metrics.js';
import { SponsorDirectory } from '../pool/sponsor-directory.js';
import type { UpkeepTask } from './upkeep-task.js';
import { type BoundOperation, MaintenanceService } from './maintenance.service.js';

/** Finishes splits, consolidations and withdrawals that a crash interrupted or whose outcome is unknown. */
@Injectable()
export class MaintenanceResolver {
  constructor(
    @Inject(REDIS) private readonly redis: CoinStoreRedis,
    @Inject(LEDGER)
    private readonly ledger: Ledger,
    private readonly maintenance: MaintenanceService,
    private readonly directory: SponsorDirectory,
    @Inject(COIN_POOL_CONFIG) private readonly settings: CoinPoolConfig,
    private readonly metrics: PoolMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  get tasks(): readonly UpkeepTask[] {
    return [
      {
        name: 'resolve maintenance',
        everyMs: 1_000,
        isDue: ({ overdueMaintenance }) => overdueMaintenance > 0,
        run: ({ sponsor }) => this.resolveAll(sponsor),
      },
    ];
  }

  /**
   * Looks up the digest of each operation, or else submits the same bytes again. A failure does not stop the
   * others; it is thrown after them, as an `AggregateError` for several failures. This includes the errors of
   * `recheck`.
   */
  async resolveAll(sponsor: string): Promise<void> {
    const { redis, logger, metrics } = this;
    const failures: Error[] = [];
    for (const operation of await listMaintenance(redis, sponsor)) {
      const { operationId, kind, digest, txBytes, leaseOver } = operation;
      if (!leaseOver || kind === 'lost') continue;
      if (digest === null || txBytes === null) {
        // Not bound, so not signed; its process may bind it at this moment.
        if (!(await abortMaintenance(redis, sponsor, { operationId }))) continue;
        metrics.repairs.add({ cause: 'maintenance_unsigned' });
        logger.warn({ sponsor, operationId, repair: 'aborted' }, 'Unsigned maintenance aborted');
        continue;
      }
      const bound = { ...operation, digest, bytes: Buffer.from(txBytes, 'base64') };
      const outcome = await this.resolve(sponsor, bound).catch((error: Error) => error);
      if (outcome instanceof Error) {
        failures.push(outcome);
        continue;
      }
      if (outcome === 'overtaken') continue;
      if (outcome === 'made' || outcome === 'failed') {
        metrics.repairs.add({ cause: 'maintenance_interrupted' });
      }
      logger.warn({ sponsor, operationId, digest, outcome }, 'Interrupted maintenance resumed');
    }
    if (failures.length === 1) throw failures[0]!;
    if (failures.length > 1) {
      throw new AggregateError(failures, failures.map(({ message }) => message).join('; '));
    }
  }

  private async resolve(sponsor: string, operation: BoundOperation) {
    const landed = await this.ledger.findTransaction(operation.digest, {
      gasPayment: operation.coins,
      gasOwner: sponsor,
      maySendGasCoin: operation.kind === 'withdrawal',
    });
    if (landed) return this.maintenance.finish(sponsor, operation, landed.effects);
    const transaction = this.recheck(sponsor, operation);
    const outcome = await this.maintenance.submit(sponsor, operation);
    if (outcome !== 'conflict') return outcome;
    const hasEnded = await this.endWithoutEffects(sponsor, operation, transaction);
    return hasEnded ? 'ended without effects' : outcome;
  }

  /**
   * Decodes and checks the bytes of an interrupted operation before they are signed: write access to Redis
   * must not decide the destination of funds. Throws `Error` with the violation, and
   * `InvalidTransactionBytes`.
   */
  private recheck(sponsor: string, { kind, bytes, digest }: BoundOperation): DecodedTransaction {
    const { ledger, directory } = this;
    const transaction = ledger.decodeTransaction(bytes);
    if (transaction.digest !== digest) {
      throw new Error(`Maintenance not signed: the digest is ${transaction.digest}, not ${digest}`);
    }
    const recipients = ledger.findRecipients(bytes);
    if (recipients === null) {
      throw new Error(`Maintenance not signed: ${digest} does more than move coins of the sponsor`);
    }
    const isAllowed = (address: string) =>
      address === sponsor || (kind === 'withdrawal' && directory.mayReceive(address));
    const stranger = recipients.find((address) => !isAllowed(address));
    if (stranger !== undefined) {
      throw new Error(`Maintenance not signed: ${digest} sends coins to ${stranger}`);
    }
    return transaction;
  }

  /**
   * Ends an operation that can never land: the sponsor's key used its coins elsewhere, or its last epoch has
   * ended. Coins that have moved are withheld until they are compared with the ledger. False while it may
   * still land.
   */
  private async endWithoutEffects(
    sponsor: string,
    { operationId, digest, coins }: BoundOperation,
    transaction: DecodedTransaction,
  ): Promise<boolean> {
    const { redis, ledger, logger, metrics } = this;
    const current = await ledger.readGasCoins(sponsor, coins);
    const { allShown, haveMoved, moved, unmoved } = compareCoins(coins, current);
    if (!allShown) return false;
    if (haveMoved) {
      // Read after the coins: a node that shows them moved by this transaction has executed it.
      if (await ledger.findTransaction(digest)) return false;
    } else if (!(await ledger.hasExpired(transaction))) {
      return false;
    }
    const rules = placementRules(this.settings.targetBalance);
    // The transactions that moved them are counted with the comparison of withheld coins.
    const { epoch } = await ledger.status(0);
    const withheld = { coins: moved, epoch };
    const ended = { operationId, returned: unmoved, withheld, created: [], rules, gasCharged: 0n };
    // A node that has pruned its transactions does not show the one that moved the coins.
    const mayBeSent = haveMoved;
    if (!(await finishMaintenance(redis, sponsor, { ...ended, mayBeSent }))) return false;
    const fields = { sponsor, operationId, digest };
    if (haveMoved) {
      logger.error(fields, 'Pool coins were used outside the pool; maintenance ended');
      metrics.repairs.add({ cause: 'coins_used_elsewhere' });
    } else {
      logger.warn(fields, 'Maintenance expired; its coins return');
    }
    return true;
  }
}
