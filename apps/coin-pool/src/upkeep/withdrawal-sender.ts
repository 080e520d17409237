import { Inject, Injectable } from '@nestjs/common';
import {
  beginWithdrawal,
  type CoinStoreRedis,
  endWithdrawal,
  MAX_COINS_PER_RESERVATION,
  readDrain,
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
   * Sends the next coins of an ordered withdrawal, and ends it once the remainder is not worth its gas. An order
   * alone moves nothing: this process must be configured to send to the address. Throws `MaintenanceFailed`, and
   * `Error` for another address.
   */
  async send(sponsor: string): Promise<void> {
    const { redis, ledger } = this;
    const { withdrawal } = await readDrain(redis, sponsor);
    if (withdrawal === null || withdrawal.ended !== null) return;
    const { to } = withdrawal;
    if (to === sponsor || !this.directory.mayReceive(to)) {
      throw new Error(
        `The withdrawal to ${to} is not allowed: add it to WITHDRAW_ADDRESSES, or undrain the sponsor`,
      );
    }
    const maxCoins = MAX_COINS_PER_RESERVATION;
    const begun = await beginWithdrawal(redis, sponsor, { to, maxCoins, leaseMs: LEASE_MS });
    if (begun === null) return;
    const { referenceGasPrice: gasPrice, epoch: expirationEpoch } = await ledger.status();
    const gasBudget = maintenanceBudget(0, gasPrice);
    const outcome = await this.maintenance.carryOut(sponsor, 'withdrawal', begun, async (coins) => {
      const sum = coins.reduce((total, { balance }) => total + balance, 0n);
      if (sum < gasBudget) return null;
      const request = { sponsor, coins, to, gasPrice, gasBudget, expirationEpoch };
      return { ...(await ledger.buildWithdrawal(request)), amount: 0n };
    });
    if (outcome === 'failed') throw new MaintenanceFailed('Funds could not be withdrawn');
    if (outcome !== 'idle' || !(await endWithdrawal(redis, sponsor, { to }))) return;
    const { withdrawal: ended } = await readDrain(redis, sponsor);
    const { coins, balance, gas, digest } = ended ?? withdrawal;
    this.logger.info(
      { sponsor, to, coins, arrived: String(balance - gas), digest },
      'Withdrawal ended: what is left is not worth its gas',
    );
  }
}
