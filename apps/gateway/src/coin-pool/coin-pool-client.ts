import type { MessageClient } from '@forecourt/runtime/transport';
import {
  coinPoolPatterns,
  type DrainSponsorMessage,
  type ExplainTransactionMessage,
  ExplainTransactionReply,
  ForecourtError,
  type InspectPoolsMessage,
  InspectPoolsReply,
  type FindSponsorship,
  FindSponsorshipReply,
  ListSponsorsReply,
  type ListSponsorshipsMessage,
  ListSponsorshipsReply,
  type ReconcilePoolMessage,
  ReconcilePoolReply,
  type Sponsorship,
  type UndrainSponsorMessage,
  type WithdrawAmountMessage,
  type WithdrawFundsMessage,
} from '@forecourt/contracts';
import { rememberAnswer } from '@forecourt/resilience';
import { ReservationsClient } from './reservations-client.js';
import type { GatewayConfig } from '../gateway-config.js';
import type { DeliveryRules } from '../replicas/service-client.js';

/** An upgrade takes longer than most conditions that a caller waits for. */
const RETRY_AFTER_UPGRADE_SECS = 5;

/**
 * The messages to the coin-pool. Besides the errors listed for it, every message throws STORE_UNREACHABLE
 * when no replica or no Redis answers, POOL_REFUSED when no replica serves, and COIN_POOL_OUTDATED when those
 * that do are too old.
 */
export class CoinPoolClient extends ReservationsClient {
  /**
   * The network that the fleet's pools belong to. Calls at the same time share one question. Rejects with
   * `Error` while no coin-pool names it: a transaction that the node of another network does not show may
   * have landed.
   */
  readonly network = rememberAnswer(async (): Promise<string> => {
    const reply = await this.listSponsors().catch(() => null);
    if (reply?.network) return reply.network;
    throw new Error('no coin-pool names it yet');
  });

  /** `local`: the coin-pool in this process, the only replica then. */
  constructor(
    { coinPools, coinPoolTimeoutMs, fleetSecrets }: GatewayConfig,
    local?: MessageClient,
  ) {
    const rules: DeliveryRules = {
      span: 'coin-pool',
      service: 'a coin-pool',
      timeoutMs: coinPoolTimeoutMs,
      unreachable: 'STORE_UNREACHABLE',
      resting: new Set(['POOL_REFUSED']),
      // Another replica may have received the key of a sponsor that is unknown to this one.
      othersMayServe: new Set(['POOL_REFUSED', 'COIN_POOL_OUTDATED', 'INVALID_REQUEST']),
      outdated,
    };
    super(rules, { endpoints: coinPools, fleetSecrets, local });
  }

  inspectPools(message: InspectPoolsMessage): Promise<InspectPoolsReply> {
    return this.send(coinPoolPatterns.inspectPools, message, InspectPoolsReply);
  }

  explainTransaction(message: ExplainTransactionMessage): Promise<ExplainTransactionReply> {
    return this.send(coinPoolPatterns.explainTransaction, message, ExplainTransactionReply);
  }

  /** Throws NO_COINS, SPONSOR_DRAINED, LEDGER_UNREACHABLE. */
  async checkPool(): Promise<void> {
    await this.send(coinPoolPatterns.checkPool, {}, null);
  }

  /** Throws INVALID_REQUEST. */
  async drainSponsor(message: DrainSponsorMessage): Promise<void> {
    await this.send(coinPoolPatterns.drainSponsor, message, null);
  }

  /** Throws INVALID_REQUEST. */
  async undrainSponsor(message: UndrainSponsorMessage): Promise<void> {
    await this.send(coinPoolPatterns.undrainSponsor, message, null);
  }

  /** Throws INVALID_REQUEST, FORBIDDEN, SPONSOR_NOT_IDLE, LOSS_NOT_EXAMINED. */
  async withdrawFunds(message: WithdrawFundsMessage): Promise<void> {
    await this.send(coinPoolPatterns.withdrawFunds, message, null);
  }

  /** Throws the errors of `withdrawFunds`, and orders nothing. */
  async checkWithdrawal(message: WithdrawFundsMessage): Promise<void> {
    await this.send(coinPoolPatterns.checkWithdrawal, message, null);
  }

  /** Throws the errors of `withdrawFunds`, and LEDGER_UNREACHABLE. */
  async withdrawAmount(message: WithdrawAmountMessage): Promise<void> {
    await this.send(coinPoolPatterns.withdrawAmount, message, null);
  }

  /** Throws the errors of `withdrawAmount`, and orders nothing. */
  async checkWithdrawalOfAmount(message: WithdrawAmountMessage): Promise<void> {
    await this.send(coinPoolPatterns.checkWithdrawalOfAmount, message, null);
  }

  /** Throws INVALID_REQUEST. */
  reconcilePool(message: ReconcilePoolMessage): Promise<ReconcilePoolReply> {
    return this.send(coinPoolPatterns.reconcilePool, message, ReconcilePoolReply, 'once');
  }

  listSponsors(): Promise<ListSponsorsReply> {
    return this.send(coinPoolPatterns.listSponsors, {}, ListSponsorsReply);
  }

  /**
   * A sponsorship that is open, or has ended and is not in the database yet; null: no pool has it, or it is
   * another viewer's.
   */
  async findSponsorship(message: FindSponsorship): Promise<Sponsorship | null> {
    const { findSponsorship } = coinPoolPatterns;
    return (await this.send(findSponsorship, message, FindSponsorshipReply)).sponsorship ?? null;
  }

  /** The newest of these sponsorships first. */
  listSponsorships(message: ListSponsorshipsMessage): Promise<ListSponsorshipsReply> {
    return this.send(coinPoolPatterns.listSponsorships, message, ListSponsorshipsReply);
  }
}

function outdated(cmd: string, address: string, why: string): ForecourtError {
  const cause = new Error(
    `The coin-pool at ${address} is too old for the message ${cmd}: ${why}. ` +
      'Upgrade coin-pools before gateways, and roll gateways back before coin-pools.',
  );
  const retryAfterSecs = RETRY_AFTER_UPGRADE_SECS;
  return new ForecourtError('COIN_POOL_OUTDATED', '', { cause, retryAfterSecs });
}
