import {
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import {
  type ClaimedReservation,
  ClaimedReservationFields,
  type ClaimReservationMessage,
  type CoinPoolPattern,
  coinPoolPatterns,
  type DrainSponsorMessage,
  type ExplainTransactionMessage,
  ExplainTransactionReply,
  type FindReservationMessage,
  type FindReservationReply,
  FindReservationReplyFields,
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
  type WithdrawFundsMessage,
} from '@forecourt/contracts';
import { cacheRead } from '@forecourt/runtime/metrics';
import { inSpan } from '@forecourt/runtime/tracing';
import { LRUCache } from 'lru-cache';
import type { Delivery } from '../replicas/service-replicas.js';
import { CoinPoolReplicas } from './coin-pool-replicas.js';

/** Enough for a minute of a busy gateway; a reservation that is forgotten costs one more message. */
const MAX_REMEMBERED = 20_000;
/** Reservations of more coins are rare, and cost more memory than they save. */
const MAX_COINS = 8;
const ASK_NETWORK_EVERY_MS = 1_000;

interface Remembered {
  readonly caller: string;
  readonly found: FoundReservation;
}

/** The messages to the coin-pool. Besides the errors listed for it, every message throws those of `CoinPoolReplicas.send`. */
@Injectable()
export class CoinPoolClient implements OnApplicationBootstrap, OnApplicationShutdown {
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

  constructor(private readonly replicas: CoinPoolReplicas) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.replicas.connectAll();
  }

  onApplicationShutdown(): void {
    this.replicas.close();
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

  /** Throws INVALID_REQUEST, FORBIDDEN, SPONSOR_NOT_IDLE. */
  async withdrawFunds(message: WithdrawFundsMessage): Promise<void> {
    await this.send(coinPoolPatterns.withdrawFunds, message, null);
  }

  /** Throws the errors of `withdrawFunds`, and orders nothing. */
  async checkWithdrawal(message: WithdrawFundsMessage): Promise<void> {
    await this.send(coinPoolPatterns.checkWithdrawal, message, null);
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

  private send<Reply extends object>(
    pattern: CoinPoolPattern,
    message: object,
    reply: (new () => Reply) | null,
    delivery: Delivery = 'repeatable',
  ): Promise<Reply> {
    const send = () => this.replicas.send(pattern, message, reply, delivery);
    return inSpan(`coin-pool ${pattern.cmd}`, {}, send, 'CLIENT');
  }
}
