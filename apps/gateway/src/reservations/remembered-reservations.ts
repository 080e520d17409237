import { Injectable } from '@nestjs/common';
import type { FoundReservation } from '@forecourt/contracts';

/** Enough for a minute of a busy gateway; a reservation that is forgotten costs one more message. */
const MAX_REMEMBERED = 20_000;
/** Reservations of more coins are rare, and cost more memory than they save. */
const MAX_COINS = 8;

/**
 * Reservations that this gateway has handed out and nobody has tried to use here. Their coins and budget never change, so
 * that their first transaction can be checked without asking the coin-pool; the claim tells whether they are still open.
 */
@Injectable()
export class RememberedReservations {
  readonly #byId = new Map<number, { readonly caller: string; readonly found: FoundReservation }>();

  add(caller: string, found: FoundReservation): void {
    if (found.coins.length > MAX_COINS) return;
    this.#byId.set(found.reservationId, { caller, found });
    if (this.#byId.size <= MAX_REMEMBERED) return;
    const [oldest] = this.#byId.keys();
    this.#byId.delete(oldest!);
  }

  /** A reservation of this caller as it was handed out, the first time that it is asked for; otherwise null. */
  take(caller: string, reservationId: number): FoundReservation | null {
    const remembered = this.#byId.get(reservationId);
    if (remembered?.caller !== caller) return null;
    this.#byId.delete(reservationId);
    return remembered.found;
  }

  get size(): number {
    return this.#byId.size;
  }
}
