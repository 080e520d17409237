import { Inject, Injectable } from '@nestjs/common';
import {
  beginWithdrawal,
  type CoinStoreRedis,
  endWithdrawal,
  MAX_COINS_PER_RESERVATION,
  readDrain,
  type Withdrawal,
} from '@forecourt/coin-store';
import { type Ledger, maintenanceBudget } from '@forecourt/ledger';
import { LEDGER } from '@forecourt/runtime/ledger';
import { type Logger, LOGGER, REDIS } from '@forecourt/runtime/service';
import { RestartGuard } from '../pool/restart-guard.js';
import { SponsorDirectory } from '../pool/sponsor-directory.js';
import { LEASE_MS, MaintenanceService } from './maintenance.service.js';
import type { UpkeepTask } from './upkeep-task.js';
import { MaintenanceFailed } from './maintenance-failed.js';

/** Sends the funds of drained sponsors to the addresses of ordered withdrawals. */
@Injectable()
export class WithdrawalSender {
  constructor(
    @Inject(REDIS) private readonly redis: CoinStoreRedis,
    @Inject(LEDGER) private readonly ledger: Ledger,
    private readonly maintenance: MaintenanceService,
    private readonly guard: RestartGuard,
    private readonly directory: SponsorDirectory,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  get tasks(): readonly UpkeepTask[] {
    return [
      {
        name: 'withdraw funds',
        everyMs: 1_000,
        isDue: ({ isWithdrawing }) => isWithdrawing,
        run: ({ sponsor }) => this.send(sponsor),
        skipsSuspended: true,
      },
    ];
  }

  /**
   * Sends the next coins of an ordered withdrawal, or what is left of its amount, and ends it once that is
   * sent or the remainder is not worth its gas. An order alone moves nothing: this process must be configured
   * to send to the address. Throws `MaintenanceFailed`, the errors of the restart guard, and `Error` for
   * another address.
   */
  async send(sponsor: string): Promise<void> {
    const { redis, ledger, guard } = this;
    const { withdrawal } = await readDrain(redis, sponsor);
    if (withdrawal === null || withdrawal.ended !== null) return;
    const { id, to, amount, left } = withdrawal;
    if (to === sponsor || !this.directory.mayReceive(to)) {
      throw new Error(
        `The withdrawal to ${to} is not allowed: add it to WITHDRAW_ADDRESSES, or undrain the sponsor`,
      );
    }
    if (left === 0n) return this.end(sponsor, withdrawal);
    const { referenceGasPrice: gasPrice, epoch: expirationEpoch } = await ledger.status();
    const gasBudget = maintenanceBudget(left === null ? 0 : 1, gasPrice);
    const maxCoins = MAX_COINS_PER_RESERVATION;
    const request = { id, to, amount, maxCoins, leaseMs: LEASE_MS, gasBudget };
    // Another server may know the order, and not what was sent since.
    await guard.check();
    guard.assertSameConnection();
    const begun = await beginWithdrawal(redis, sponsor, request);
    if (begun === null) return this.reportEnd(sponsor, withdrawal);
    const outcome = await this.maintenance.carryOut(sponsor, 'withdrawal', begun, async (coins) => {
      const sum = coins.reduce((total, { balance }) => total + balance, 0n);
      if (sum < gasBudget) return null;
      const most = sum - gasBudget;
      const sent = left !== null && most < left ? most : left;
      if (sent === 0n) return null;
      const terms = { sponsor, coins, to, gasPrice, gasBudget, expirationEpoch, amount: sent };
      const built = await ledger.buildWithdrawal(terms);
      guard.assertSameConnection();
      return { ...built, amount: sent ?? 0n };
    });
    if (outcome === 'failed') throw new MaintenanceFailed('Funds could not be withdrawn');
    if (outcome === 'idle') await this.end(sponsor, withdrawal);
  }

  /** An order ends by itself when it may not begin: after a loss of Redis, or without a drain. */
  private async reportEnd(sponsor: string, { id, to, amount }: Withdrawal): Promise<void> {
    const { withdrawal } = await readDrain(this.redis, sponsor);
    if (withdrawal?.id !== id || withdrawal.ended === null || withdrawal.left === 0n) return;
    const { balance, gas } = withdrawal;
    const ordered = amount === null ? null : String(amount);
    this.logger.warn(
      { sponsor, to, amount: ordered, arrived: String(balance - gas) },
      'Withdrawal ended early: Redis may have lost a transaction, or the sponsor was undrained',
    );
  }

  /** Ends it unless something else is left of it than this process has read. */
  private async end(sponsor: string, withdrawal: Withdrawal): Promise<void> {
    if (!(await endWithdrawal(this.redis, sponsor, withdrawal))) return;
    const { withdrawal: ended } = await readDrain(this.redis, sponsor);
    const { to, amount, left, coins, balance, gas, digest } = ended ?? withdrawal;
    const arrived = balance - gas;
    const fields = { sponsor, to, coins, arrived: String(arrived), digest };
    if (left !== 0n) {
      this.logger.info(fields, 'Withdrawal ended: what is left is not worth its gas');
    } else if (arrived === amount) {
      this.logger.info(fields, 'Withdrawal ended: the amount is sent');
    } else {
      this.logger.warn(fields, 'Withdrawal ended: no node shows what moved its coins');
    }
  }
}
