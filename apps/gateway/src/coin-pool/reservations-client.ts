import {
  type ClaimedReservation,
  ClaimedReservationFields,
  type ClaimReservationMessage,
  coinPoolPatterns,
  type FindReservationMessage,
  type FindReservationReply,
  FindReservationReplyFields,
  type FoundReservation,
  type ReadUsagesMessage,
  ReadUsagesReply,
  type ReleaseReservationMessage,
  ReservedGas,
  type ReserveGasMessage,
} from '@forecourt/contracts';
import { ServiceClient } from '../replicas/service-client.js';

/** Enough for a minute of a busy gateway; a reservation that is forgotten costs one more message. */
const MAX_REMEMBERED = 20_000;
/** Reservations of more coins are rare, and cost more memory than they save. */
const MAX_COINS = 8;

interface Remembered {
  readonly caller: string;
  readonly found: FoundReservation;
}

/** The messages with which callers' transactions are sponsored. */
export abstract class ReservationsClient extends ServiceClient {
  /** Reservations that were handed out here, and not found since, by id; the oldest first. */
  readonly #remembered = new Map<number, Remembered>();

  /** Throws INVALID_REQUEST, NO_COINS, RESERVATION_LIMIT, SPONSOR_DRAINED. */
  async reserveGas(message: ReserveGasMessage): Promise<ReservedGas> {
    const reserved = await this.send(coinPoolPatterns.reserveGas, message, ReservedGas, 'once');
    this.remember(message, reserved);
    return reserved;
  }

  /**
   * The first answer about a reservation that was handed out here is remembered, which saves a message: coins
   * and budget never change. The claim finds out whether it is still open; a later call asks the coin-pool.
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

  private remember(
    { caller, gasBudget, durationSecs }: ReserveGasMessage,
    { reservationId, sponsor, coins, mayLeaveDust }: ReservedGas,
  ): void {
    if (coins.length > MAX_COINS) return;
    const [oldest] = this.#remembered.size < MAX_REMEMBERED ? [] : this.#remembered.keys();
    if (oldest !== undefined) this.#remembered.delete(oldest);
    const terms = { reservationId, sponsor, coins, mayLeaveDust, gasBudget, durationSecs };
    const found = { ...terms, state: 'reserved', digest: null, fence: 0, refusal: null } as const;
    this.#remembered.set(reservationId, { caller, found });
  }
}
