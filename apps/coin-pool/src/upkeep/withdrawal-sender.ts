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
import { SponsorDirectory } from '../pool/sponsor-directory.js';
import { LEASE_MS, MaintenanceService } from './maintenance.service.js';
import { MaintenanceFailed, type UpkeepTask } from './upkeep-task.js';

/** Sends the funds of drained sponsors to the addresses of ordered withdrawals. */
@Injectable()
export class WithdrawalSender {
  constructor(
    @Inject(REDIS) private readonly redis: CoinStoreRedis,
    @Inject(LEDGER) private readonly ledger: Pick<Ledger, 'buildWithdrawal' | 'status'>,
    private readonly maintenance: MaintenanceService,
    @Inject(SponsorDirectory) private readonly directory: Pick<SponsorDirectory, 'mayReceive'>,
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
   * Sends the next coins of an ordered withdrawal, or what is left of its amount, and ends it once that is sent or the
   * remainder is not worth its gas. An order alone moves nothing: this process must be configured to send to the address.
   * Throws `MaintenanceFailed`, and `Error` for another address.
   */
  async send(sponsor: string): Promise<void> {
    const { redis, ledger } = this;
    const { withdrawal } = await readDrain(redis, sponsor);
    if (withdrawal === null || withdrawal.ended !== null) return;
    const { to, amount, left } = withdrawal;
    if (to === sponsor || !this.directory.mayReceive(to)) {
      throw new Error(
        `The withdrawal to ${to} is not allowed: add it to WITHDRAW_ADDRESSES, or undrain the sponsor`,
      );
    }
    if (left === 0n) return this.end(sponsor, withdrawal, 'the amount is sent');
    const { referenceGasPrice: gasPrice, epoch: expirationEpoch } = await ledger.status();
    const gasBudget = maintenanceBudget(left === null ? 0 : 1, gasPrice);
    const maxCoins = MAX_COINS_PER_RESERVATION;
    const request = { to, amount, maxCoins, leaseMs: LEASE_MS, gasBudget };
    const begun = await beginWithdrawal(redis, sponsor, request);
    if (begun === null) return this.reportEnd(sponsor, withdrawal);
    const outcome = await this.maintenance.carryOut(sponsor, 'withdrawal', begun, async (coins) => {
      const sum = coins.reduce((total, { balance }) => total + balance, 0n);
      if (sum < gasBudget) return null;
      const most = sum - gasBudget;
      const sent = left !== null && most < left ? most : left;
      if (sent === 0n) return null;
      const terms = { sponsor, coins, to, gasPrice, gasBudget, expirationEpoch, amount: sent };
      return { ...(await ledger.buildWithdrawal(terms)), amount: sent ?? 0n };
    });
    if (outcome === 'failed') throw new MaintenanceFailed('Funds could not be withdrawn');
    if (outcome === 'idle')
      await this.end(sponsor, withdrawal, 'what is left is not worth its gas');
  }

  /** The order of an amount ends by itself when it may not begin: after a restart of Redis, or without a drain. */
  private async reportEnd(sponsor: string, { to, amount }: Withdrawal): Promise<void> {
    if (amount === null) return;
    const { withdrawal } = await readDrain(this.redis, sponsor);
    if (withdrawal === null || withdrawal.ended === null || withdrawal.left === 0n) return;
    const { balance, gas } = withdrawal;
    const fields = { sponsor, to, amount: String(amount), arrived: String(balance - gas) };
    this.logger.warn(
      fields,
      'Withdrawal ended early: Redis was restarted, or the sponsor undrained',
    );
  }

  private async end(sponsor: string, withdrawal: Withdrawal, why: string): Promise<void> {
    const { to, amount } = withdrawal;
    if (!(await endWithdrawal(this.redis, sponsor, { to, amount }))) return;
    const { withdrawal: ended } = await readDrain(this.redis, sponsor);
    const { coins, balance, gas, digest } = ended ?? withdrawal;
    this.logger.info(
      { sponsor, to, coins, arrived: String(balance - gas), digest },
      `Withdrawal ended: ${why}`,
    );
  }
}
