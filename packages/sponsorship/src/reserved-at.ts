/**
 * The form of reservation ids (reserve-gas.lua): 1/128 ms from 2025-01-01, times 64 for the index of the
 * sponsor.
 */
const ID_EPOCH = Date.UTC(2025, 0, 1);
const TICKS_PER_MS = 128;
const SPONSORS = 64;
/** Reservations use the ticks below in each millisecond; records without a reservation the others. */
const RESERVED_TICKS = 64;

/** When a reservation was made, in ms since 1970, by the clock of Redis. */
export function reservedAt(reservationId: number): number {
  return ID_EPOCH + Math.floor(reservationId / SPONSORS / TICKS_PER_MS);
}

/**
 * The id of a record about a transaction whose reservation is lost, which no reservation has. `at`: when it
 * was executed, in ms since 1970; `index`: of the sponsor; `n`: any natural number, which chooses among the
 * ids of that time.
 */
export function idWithoutReservation(time: number, index: number, n: number): number {
  const tick = RESERVED_TICKS + (n % (TICKS_PER_MS - RESERVED_TICKS));
  return ((Math.max(time, ID_EPOCH) - ID_EPOCH) * TICKS_PER_MS + tick) * SPONSORS + index;
}

/** The lowest id of a reservation that was made at this time, in ms since 1970. */
export function firstReservationAt(time: number): number {
  return Math.max(0, time - ID_EPOCH) * TICKS_PER_MS * SPONSORS;
}
