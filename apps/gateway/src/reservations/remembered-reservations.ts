import { Injectable } from '@nestjs/common';
import type { FoundReservation } from '@forecourt/contracts';

/** Enough for a minute of a busy gateway; what is forgotten costs one message more. */
const MOST = 20_000;
/** Larger ones are rare, and cost more memory than they save. */
const MOST_COINS = 8;

/**
 * Reservations that this gateway has handed out and nobody has tried to use here. What they cover never changes, so their
 * first transaction can be judged without asking the coin-pool for them; whether they are still open, its claim tells.
 */
@Injectable()
export class RememberedReservations {
  readonly #byId = new Map<number, { readonly caller: string; readonly found: FoundReservation }>();

  add(caller: string, found: FoundReservation): void {
    if (found.coins.length > MOST_COINS) return;
    this.#byId.set(found.reservationId, { caller, found });
    if (this.#byId.size <= MOST) return;
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
