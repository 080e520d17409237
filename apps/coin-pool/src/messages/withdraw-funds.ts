import { Inject, Injectable } from '@nestjs/common';
import {
  checkWithdrawal,
  type CoinStoreRedis,
  orderWithdrawal,
  type WithdrawalAnswer,
} from '@forecourt/coin-store';
import { canonicalAddress, ForecourtError, type WithdrawFundsMessage } from '@forecourt/contracts';
import { type Logger, LOGGER, REDIS } from '@forecourt/runtime/service';
import { Signers } from '@forecourt/runtime/signers';
import { COIN_POOL_CONFIG, type CoinPoolConfig } from '../coin-pool-config.js';
import { SponsorDirectory } from '../pool/sponsor-directory.js';
import { mayReceive } from '../withdrawing/may-receive.js';

const REFUSALS: Readonly<Record<Exclude<WithdrawalAnswer, 'ordered'>, string>> = {
  'not drained': 'the sponsor is not drained',
  'in flight': 'coins are reserved or in flight; wait until the sponsor is drained',
  elsewhere: 'a withdrawal to another address is under way',
};

/** Orders that a drained sponsor's funds are sent to an address that the configuration allows. */
@Injectable()
export class WithdrawFunds {
  constructor(
    @Inject(REDIS) private readonly redis: CoinStoreRedis,
    @Inject(COIN_POOL_CONFIG) private readonly settings: Pick<CoinPoolConfig, 'withdrawAddresses'>,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'info'>,
    private readonly signers: Signers,
    private readonly directory: SponsorDirectory,
  ) {}

  /** Throws INVALID_REQUEST, FORBIDDEN, SPONSOR_NOT_IDLE. */
  async run(message: WithdrawFundsMessage): Promise<void> {
    const to = await this.decide(message, orderWithdrawal);
    const { sponsor, operator, reason } = message;
    this.logger.info({ sponsor, to, operator, reason }, 'Withdrawal ordered');
  }

  /** Throws what `run` would throw, and orders nothing. */
  async check(message: WithdrawFundsMessage): Promise<void> {
    await this.decide(message, checkWithdrawal);
  }

  /** Resolves with the address in full form. */
  private async decide(
    { sponsor, to: address, reason, operator }: WithdrawFundsMessage,
    ask: typeof orderWithdrawal,
  ): Promise<string> {
    const to = this.requireAllowed(canonicalAddress(address));
    if (to === sponsor) {
      throw new ForecourtError('INVALID_REQUEST', 'to_address is the sponsor itself');
    }
    await this.directory.requireKnown(sponsor);
    if (!this.signers.find(sponsor)) {
      throw new ForecourtError(
        'INVALID_REQUEST',
        `The coin-pool has no key for sponsor ${sponsor}`,
      );
    }
    const answer = await ask(this.redis, sponsor, { to, by: operator, reason });
    if (answer !== 'ordered') throw new ForecourtError('SPONSOR_NOT_IDLE', REFUSALS[answer]);
    return to;
  }

  private requireAllowed(to: string | null): string {
    const { settings, signers: keys } = this;
    if (to !== null && mayReceive({ settings, keys }, to)) return to;
    throw new ForecourtError(
      'FORBIDDEN',
      `Withdrawals to ${to ?? 'this address'} are not allowed: it is neither another sponsor nor in WITHDRAW_ADDRESSES of the coin-pools`,
    );
  }
}
