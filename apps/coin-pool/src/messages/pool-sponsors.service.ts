import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import {
  checkWithdrawal,
  type CoinState,
  type CoinStoreRedis,
  coinStates,
  type Drain,
  drainSponsor,
  listSponsors,
  MAX_COINS_PER_RESERVATION,
  orderWithdrawal,
  readDrain,
  readLoss,
  readPoolTotals,
  undrainSponsor,
  type Withdrawal,
  type WithdrawalAnswer,
} from '@forecourt/coin-store';
import {
  canonicalAddress,
  type DrainSponsorMessage,
  ForecourtError,
  type ListedSponsor,
  type ListSponsorsReply,
  type SponsorState,
  type SponsorWithdrawal,
  type UndrainSponsorMessage,
  type WithdrawAmountMessage,
  type WithdrawFundsMessage,
} from '@forecourt/contracts';
import { formatAmount, type Ledger, maintenanceBudget } from '@forecourt/ledger';
import { LEDGER } from '@forecourt/runtime/ledger';
import { type Logger, LOGGER, REDIS } from '@forecourt/runtime/service';
import { Signers } from '@forecourt/runtime/signers';
import { PoolState } from '../pool/pool-state.js';
import { RegisteredSponsors } from '../pool/registered-sponsors.js';
import { RestartGuard } from '../pool/restart-guard.js';
import { SponsorDirectory } from '../pool/sponsor-directory.js';

const IN_FLIGHT: readonly CoinState[] = [
  'reserved',
  'claimed',
  'executing',
  'quarantined',
  'maintenance',
];

const REFUSALS: Readonly<
  Record<Exclude<WithdrawalAnswer, 'ordered' | 'suspended' | 'after loss' | 'not enough'>, string>
> = {
  'not drained': 'the sponsor is not drained',
  'in flight': 'coins are reserved or in flight; wait until the sponsor is drained',
  elsewhere: 'a withdrawal to another address is under way',
  'under way':
    'another withdrawal to this address is under way; wait until it has ended, or undrain the sponsor',
  repeated:
    'this amount was ordered to this address before the latest withdrawal; give another request_id to order it again',
};

/** Coins that a transaction of a withdrawal takes out of the pool; one remains. */
const COINS_PER_TRANSACTION = BigInt(MAX_COINS_PER_RESERVATION - 1);

/** Lists sponsors, drains them, and orders the withdrawal of their funds. */
@Injectable()
export class PoolSponsorsService {
  constructor(
    @Inject(REDIS) private readonly redis: CoinStoreRedis,
    private readonly signers: Signers,
    private readonly state: PoolState,
    private readonly registered: RegisteredSponsors,
    private readonly directory: SponsorDirectory,
    private readonly guard: RestartGuard,
    @Inject(LEDGER) private readonly ledger: Ledger,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Shows every sponsor, and the progress of its drain and its withdrawal. */
  async list(): Promise<ListSponsorsReply> {
    const configured = this.signers.configured.map(({ address }) => address);
    const registered = (await listSponsors(this.redis)).values();
    const all = [...new Set([...configured, ...registered])];
    const sponsors = await Promise.all(all.map((sponsor) => this.describe(sponsor)));
    return { sponsors, network: this.state.chain };
  }

  /**
   * Stops a sponsor from giving reservations. Throws INVALID_REQUEST for a sponsor that the fleet does not
   * know.
   */
  async drain({ sponsor, reason, operator }: DrainSponsorMessage): Promise<void> {
    await this.registered.requireKnown(sponsor);
    await drainSponsor(this.redis, sponsor, { reason, by: operator, since: Date.now() });
    this.logger.info({ sponsor, operator, reason }, 'Sponsor drained');
  }

  /**
   * Lets a drained sponsor give reservations again. Throws INVALID_REQUEST for a sponsor that the fleet does
   * not know.
   */
  async undrain({ sponsor }: UndrainSponsorMessage): Promise<void> {
    await this.registered.requireKnown(sponsor);
    if (await undrainSponsor(this.redis, sponsor)) {
      this.logger.info({ sponsor }, 'Sponsor no longer drained');
    }
  }

  /**
   * Orders that a drained sponsor's funds, or an amount, are sent to an address that the configuration
   * allows. Throws INVALID_REQUEST, FORBIDDEN, SPONSOR_NOT_IDLE, LOSS_NOT_EXAMINED, POOL_REFUSED,
   * STORE_UNREACHABLE, and `LedgerUnreachable` for an amount.
   */
  async withdraw(message: WithdrawFundsMessage | WithdrawAmountMessage): Promise<void> {
    const to = await this.decideWithdrawal(message, orderWithdrawal);
    const { sponsor, operator, reason } = message;
    const amount = 'amount' in message ? message.amount : null;
    this.logger.info({ sponsor, to, amount, operator, reason }, 'Withdrawal ordered');
  }

  /** Throws the errors of `withdraw`, and orders nothing. */
  async checkWithdrawal(message: WithdrawFundsMessage | WithdrawAmountMessage): Promise<void> {
    await this.decideWithdrawal(message, checkWithdrawal);
  }

  /** Resolves with the address in full form. */
  private async decideWithdrawal(
    message: WithdrawFundsMessage | WithdrawAmountMessage,
    ask: typeof orderWithdrawal,
  ): Promise<string> {
    const { sponsor, to: address, reason, operator } = message;
    const to = this.requireAllowed(canonicalAddress(address));
    if (to === sponsor) {
      throw new ForecourtError('INVALID_REQUEST', 'to_address is the sponsor itself');
    }
    await this.registered.requireKnown(sponsor);
    if (!this.signers.find(sponsor)) {
      const detail = `The coin-pool has no key for sponsor ${sponsor}`;
      throw new ForecourtError('INVALID_REQUEST', detail);
    }
    const amount = 'amount' in message ? BigInt(message.amount) : null;
    const most = amount === null ? 0n : await this.largestPart(sponsor);
    const request = 'amount' in message ? (message.request ?? '') : '';
    const part = amount === null ? null : { amount, request, isCovered: amount <= most };
    const order = { id: randomUUID(), to, by: operator, reason, part };
    await this.guard.check();
    this.guard.assertSameConnection();
    const answer = await ask(this.redis, sponsor, { ...order, afterLoss: message.afterLoss });
    if (answer === 'ordered') return to;
    if (answer === 'suspended') throw new ForecourtError('POOL_REFUSED', 'coins are suspended');
    if (answer === 'after loss') {
      const loss = await readLoss(this.redis, sponsor);
      throw new ForecourtError('LOSS_NOT_EXAMINED', describeLoss(loss, to));
    }
    const detail = answer === 'not enough' ? describeLack(amount ?? 0n, most) : REFUSALS[answer];
    throw new ForecourtError('SPONSOR_NOT_IDLE', detail);
  }

  /**
   * The balance of a sponsor without dust, which may not be worth its gas, less the budget of the
   * transactions.
   */
  private async largestPart(sponsor: string): Promise<bigint> {
    const { referenceGasPrice } = await this.ledger.status();
    const { coins, balance } = await readPoolTotals(this.redis, sponsor);
    const transactions = (coins.available + coins.treasury) / COINS_PER_TRANSACTION + 1n;
    const most =
      balance.available + balance.treasury - transactions * maintenanceBudget(1, referenceGasPrice);
    return most > 0n ? most : 0n;
  }

  private requireAllowed(to: string | null): string {
    if (to !== null && this.directory.mayReceive(to)) return to;
    throw new ForecourtError(
      'FORBIDDEN',
      `Withdrawals to ${to ?? 'this address'} are not allowed: it is neither another sponsor nor in WITHDRAW_ADDRESSES of the coin-pools`,
    );
  }

  private async describe(sponsor: string): Promise<ListedSponsor> {
    const { coins, balance } = await readPoolTotals(this.redis, sponsor);
    const { drain, withdrawal } = await readDrain(this.redis, sponsor);
    const counts = coinStates.map((state): [CoinState, number] => [state, Number(coins[state])]);
    const isInFlight = IN_FLIGHT.some((state) => coins[state] > 0n);
    return {
      sponsor,
      state: this.stateOf(sponsor, drain, isInFlight),
      coins: Object.fromEntries(counts) as Record<CoinState, number>,
      balance: String(coinStates.reduce((sum, state) => sum + balance[state], 0n)),
      drain,
      withdrawal: withdrawal && toMessage(withdrawal),
      signer: this.signers.describe(sponsor),
    };
  }

  private stateOf(sponsor: string, drain: Drain | null, isInFlight: boolean): SponsorState {
    if (!this.signers.isConfigured(sponsor)) return 'no-key';
    if (drain !== null) return isInFlight ? 'draining' : 'drained';
    return this.state.sponsors.has(sponsor) ? 'serving' : 'opening';
  }
}

/** `loss`: its id, a time in ms. */
function describeLoss(loss: string, to: string): string {
  const time = new Date(Number(loss)).toISOString();
  return `coins were suspended at ${time}, because Redis may have lost transactions; look up on the ledger what ${to} has received, and give after_loss: "${loss}" to order what is missing`;
}

/** `most`: the largest amount that may be ordered. */
function describeLack(amount: bigint, most: bigint): string {
  const remedy = most > 0n ? 'order at most that, or all funds' : 'order all funds';
  return `${formatAmount(amount)} is more than the ${formatAmount(most)} that the sponsor can send without its dust and the budget for gas; ${remedy}`;
}

function toMessage(withdrawal: Withdrawal): SponsorWithdrawal {
  const { to, amount, by, reason, since, coins, balance, gas, digest, ended } = withdrawal;
  const ordered = amount === null ? null : String(amount);
  const arrived = String(balance - gas);
  return { to, amount: ordered, by, reason, since, coins, arrived, digest, ended };
}
