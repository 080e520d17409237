import type { ClientProxy } from '@nestjs/microservices';
import {
  type ClaimedReservation,
  ClaimedReservationFields,
  type ClaimReservationMessage,
  coinPoolPatterns,
  type DrainSponsorMessage,
  type ExplainTransactionMessage,
  ExplainTransactionReply,
  type FindReservationMessage,
  type FindReservationReply,
  FindReservationReplyFields,
  ForecourtError,
  type FoundReservation,
  type InspectPoolsMessage,
  InspectPoolsReply,
  type FindSponsorship,
  FindSponsorshipReply,
  ListSponsorsReply,
  type ListSponsorshipsMessage,
  ListSponsorshipsReply,
  type ReadChangesMessage,
  ReadChangesReply,
  type ReadUsagesMessage,
  ReadUsagesReply,
  type ReconcilePoolMessage,
  ReconcilePoolReply,
  type ReleaseReservationMessage,
  ReservedGas,
  type ReserveGasMessage,
  type Sponsorship,
  type UndrainSponsorMessage,
  type WithdrawAmountMessage,
  type WithdrawFundsMessage,
} from '@forecourt/contracts';
import { cacheRead } from '@forecourt/runtime/metrics';
import { LRUCache } from 'lru-cache';
import type { GatewayConfig } from '../gateway-config.js';
import { type DeliveryRules, ServiceClient } from '../replicas/service-client.js';

export type CoinPoolSettings = Pick<
  GatewayConfig,
  'coinPools' | 'coinPoolTimeoutMs' | 'fleetSecrets'
>;

/** Enough for a minute of a busy gateway; a reservation that is forgotten costs one more message. */
const MAX_REMEMBERED = 20_000;
/** Reservations of more coins are rare, and cost more memory than they save. */
const MAX_COINS = 8;
const ASK_NETWORK_EVERY_MS = 1_000;
/** An upgrade takes longer than most conditions that a caller waits for. */
const RETRY_AFTER_UPGRADE_SECS = 5;

interface Remembered {
  readonly caller: string;
  readonly found: FoundReservation;
}

/**
 * The messages to the coin-pool. Besides the errors listed for it, every message throws STORE_UNREACHABLE when no replica or no
 * Redis answers, POOL_REFUSED when no replica serves, and COIN_POOL_OUTDATED when those that do are too old.
 */
export class CoinPoolClient extends ServiceClient {
  /** Reservations that were handed out here, and not found since, by id. */
  readonly #remembered = new LRUCache<number, Remembered>({ max: MAX_REMEMBERED });

  /**
   * The network that the fleet's pools belong to; null while no coin-pool names it. The client asks at most once a second.
   * Reads of the ledger need no network.
   */
  readonly network = cacheRead<string | null>(async () => {
    const reply = await this.listSponsors().catch(() => null);
    return reply?.network ?? null;
  }, ASK_NETWORK_EVERY_MS);

  /** `local`: the client of the coin-pool in this process, the only replica then. */
  constructor(
    { coinPools, coinPoolTimeoutMs, fleetSecrets }: CoinPoolSettings,
    local?: ClientProxy,
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

  /** Throws INVALID_REQUEST, NO_COINS, RESERVATION_LIMIT, SPONSOR_DRAINED. */
  async reserveGas(message: ReserveGasMessage): Promise<ReservedGas> {
    const reserved = await this.send(coinPoolPatterns.reserveGas, message, ReservedGas, 'once');
    this.remember(message, reserved);
    return reserved;
  }

  /**
   * The first answer about a reservation that was handed out here is remembered, which saves a message: coins and budget never
   * change. The claim finds out whether it is still open; a later call asks the coin-pool.
   */
  async findReservation(message: FindReservationMessage): Promise<FindReservationReply> {
    const { reservationId, caller } = message;
    const remembered = this.#remembered.get(reservationId);
    if (remembered?.caller === caller) {
      this.#remembered.delete(reservationId);
      return { found: remembered.found };
    }
    const reply = FindReservationReplyFields;
    return this.send(
      coinPoolPatterns.findReservation,
      message,
      reply,
    ) as Promise<FindReservationReply>;
  }

  /** Throws RESERVATION_UNKNOWN, RESERVATION_EXPIRED, RESERVATION_USED, INPUT_IN_FLIGHT, QUARANTINE_LIMIT. */
  claimReservation(message: ClaimReservationMessage): Promise<ClaimedReservation> {
    const reply = ClaimedReservationFields;
    return this.send(
      coinPoolPatterns.claimReservation,
      message,
      reply,
    ) as Promise<ClaimedReservation>;
  }

  /** Throws OUTCOME_UNKNOWN. */
  async enqueueClaim(message: FindReservationMessage): Promise<void> {
    await this.send(coinPoolPatterns.enqueueClaim, message, null);
  }

  /** Throws RESERVATION_UNKNOWN. */
  async releaseReservation(message: ReleaseReservationMessage): Promise<void> {
    await this.send(coinPoolPatterns.releaseReservation, message, null, 'once');
  }

  /** Throws INVALID_REQUEST, SPONSOR_DRAINED. */
  readUsages(message: ReadUsagesMessage): Promise<ReadUsagesReply> {
    return this.send(coinPoolPatterns.readUsages, message, ReadUsagesReply);
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

  /** A sponsorship that is open, or has ended and is not in the database yet; null: no pool has it, or it is another viewer's. */
  async findSponsorship(message: FindSponsorship): Promise<Sponsorship | null> {
    const { findSponsorship } = coinPoolPatterns;
    return (await this.send(findSponsorship, message, FindSponsorshipReply)).sponsorship ?? null;
  }

  /** The newest of these sponsorships first. */
  listSponsorships(message: ListSponsorshipsMessage): Promise<ListSponsorshipsReply> {
    return this.send(coinPoolPatterns.listSponsorships, message, ListSponsorshipsReply);
  }

  /** Throws INVALID_REQUEST. */
  readChanges(message: ReadChangesMessage): Promise<ReadChangesReply> {
    return this.send(coinPoolPatterns.readChanges, message, ReadChangesReply);
  }

  private remember(
    { caller, gasBudget, durationSecs }: ReserveGasMessage,
    { reservationId, sponsor, coins, mayLeaveDust }: ReservedGas,
  ): void {
    // Coin-pools of an earlier version do not send it.
    if (mayLeaveDust === undefined || coins.length > MAX_COINS) return;
    const asked = { reservationId, sponsor, coins, mayLeaveDust, gasBudget, durationSecs };
    const found = { ...asked, state: 'reserved', digest: null, fence: 0, refusal: null } as const;
    this.#remembered.set(reservationId, { caller, found });
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
