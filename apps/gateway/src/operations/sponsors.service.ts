import { Injectable } from '@nestjs/common';
import {
  canonicalAddress,
  ForecourtError,
  type ListedSponsor,
  type WithdrawFundsMessage,
} from '@forecourt/contracts';
import type {
  CheckWithdrawalRequest,
  DrainRequest,
  ReconcileRequest,
  ReconcileResponse,
  SponsorsResponse,
  SponsorStatus,
  UndrainRequest,
  WithdrawAmountRequest,
  WithdrawRequest,
} from '@forecourt/contracts/http';
import { OperatorActions } from '../access/operator-actions.js';
import { CoinPoolClient } from '../coin-pool/coin-pool-client.js';
import { scopeOfSponsor } from '../access/pause-scopes.js';

/** Lists, drains, compares and empties sponsors. Every method throws the errors of the coin-pool client. */
@Injectable()
export class SponsorsService {
  constructor(
    private readonly coinPool: CoinPoolClient,
    private readonly actions: OperatorActions,
  ) {}

  /** All sponsors as they are now. */
  async list(): Promise<SponsorsResponse> {
    const { sponsors } = await this.coinPool.listSponsors();
    return { result: { sponsors: sponsors.map(toStatus) } };
  }

  /**
   * Throws INVALID_REQUEST for a sponsor that the fleet never had. While the coin-pool is away, every address
   * is accepted.
   */
  async requireKnown(address: string): Promise<void> {
    const sponsor = canonicalAddress(address);
    const known = await this.coinPool.listSponsors().catch((error: ForecourtError) => {
      if (error.status === 503) return null;
      throw error;
    });
    if (known === null || known.sponsors.some((one) => one.sponsor === sponsor)) return;
    throw new ForecourtError('INVALID_REQUEST', `${sponsor} is not a sponsor of this gas station`);
  }

  async drain(request: DrainRequest, operator: string): Promise<SponsorsResponse> {
    const sponsor = canonicalAddress(request.sponsor_address)!;
    const { reason } = request;
    await this.coinPool.drainSponsor({ sponsor, reason, operator });
    const scope = scopeOfSponsor(sponsor);
    await this.actions.record({ operator, action: 'drain', scope, reason });
    return this.list();
  }

  async undrain(request: UndrainRequest, operator: string): Promise<SponsorsResponse> {
    const sponsor = canonicalAddress(request.sponsor_address)!;
    await this.coinPool.undrainSponsor({ sponsor });
    const scope = scopeOfSponsor(sponsor);
    await this.actions.record({ operator, action: 'undrain', scope, reason: '' });
    return this.list();
  }

  async reconcile(request: ReconcileRequest, operator: string): Promise<ReconcileResponse> {
    const sponsor = canonicalAddress(request.sponsor_address)!;
    const scope = scopeOfSponsor(sponsor);
    const { result } = await this.coinPool.reconcilePool({ sponsor });
    await this.actions.record({ operator, action: 'reconcile', scope, reason: request.reason });
    if (result !== null) return { result: { finished: true, ...result } };
    return { result: { finished: false, adopted: null, corrected: null, differences: null } };
  }

  async checkWithdrawal(
    request: CheckWithdrawalRequest,
    operator: string,
  ): Promise<SponsorsResponse> {
    const message = messageOf(request, operator);
    const part = readPart(request);
    if (part === null) await this.coinPool.checkWithdrawal(message);
    else await this.coinPool.checkWithdrawalOfAmount({ ...message, ...part });
    return this.list();
  }

  async withdraw(request: WithdrawRequest, operator: string): Promise<SponsorsResponse> {
    const message = messageOf(request, operator);
    return this.order(message, '', () => this.coinPool.withdrawFunds(message));
  }

  async withdrawAmount(
    request: WithdrawAmountRequest,
    operator: string,
  ): Promise<SponsorsResponse> {
    const { amount, request_id: id = null } = request;
    const message = { ...messageOf(request, operator), amount, request: id };
    return this.order(message, `${amount} of `, () => this.coinPool.withdrawAmount(message));
  }

  /** Records the order before it is given, and its refusal, because money is at stake. */
  private async order(
    { sponsor, to, reason, operator }: WithdrawFundsMessage,
    share: string,
    give: () => Promise<unknown>,
  ): Promise<SponsorsResponse> {
    const scope = `${share}${scopeOfSponsor(sponsor)} to ${to}`;
    await this.actions.record({ operator, action: 'withdraw', scope, reason });
    try {
      await give();
    } catch (error) {
      const refusal = (error as Error).message;
      await this.actions.record({ operator, action: 'withdraw refused', scope, reason: refusal });
      throw error;
    }
    return this.list();
  }
}

/** Null: all funds. Throws INVALID_REQUEST for the id of a request without an amount. */
function readPart({ amount, request_id: request = null }: CheckWithdrawalRequest) {
  if (amount != null) return { amount, request };
  if (request === null) return null;
  throw new ForecourtError('INVALID_REQUEST', 'request_id is only for an amount, which is missing');
}

function messageOf(
  request: WithdrawRequest | CheckWithdrawalRequest,
  operator: string,
): WithdrawFundsMessage {
  const {
    sponsor_address: sponsor,
    to_address: to,
    reason,
    after_loss: afterLoss = null,
  } = request;
  const addresses = { sponsor: canonicalAddress(sponsor)!, to: canonicalAddress(to)! };
  return { ...addresses, reason, operator, afterLoss };
}

function toStatus({ sponsor, withdrawal, signer = null, ...status }: ListedSponsor): SponsorStatus {
  const known = { sponsor_address: sponsor, ...status, signer };
  if (withdrawal === null) return { ...known, withdrawal };
  const { to, amount = null, ...progress } = withdrawal;
  return { ...known, withdrawal: { to_address: to, amount, ...progress } };
}
