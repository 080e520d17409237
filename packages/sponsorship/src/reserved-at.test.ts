import { describe, expect, it } from '@jest/globals';
import { firstReservationAt, idWithoutReservation, reservedAt } from './reserved-at.js';
import { reservationId, reservedMs } from './stored-sponsorship.test-support.js';

describe('the time of a reservation', () => {
  it('is in its id, for every sponsor and every tick of a millisecond', () => {
    expect(reservedAt(reservationId)).toBe(reservedMs);
    expect(firstReservationAt(reservedMs)).toBe(reservationId - 3);
    const next = firstReservationAt(reservedMs + 1);
    expect([reservedAt(next - 1), reservedAt(next)]).toEqual([reservedMs, reservedMs + 1]);
  });

  it('has no ids before the first', () => {
    expect(firstReservationAt(0)).toBe(0);
  });
});

describe('the id of a record without a reservation', () => {
  it('has its time and its sponsor, and differs from those of reservations and for each number', () => {
    const ids = Array.from({ length: 64 }, (_, n) => idWithoutReservation(reservedMs, 3, n));
    expect(new Set(ids).size).toBe(64);
    for (const id of ids) {
      expect([reservedAt(id), id % 64]).toEqual([reservedMs, 3]);
      // reserve-gas.lua makes ids in the first half of each millisecond.
      expect(id - firstReservationAt(reservedMs)).toBeGreaterThanOrEqual(64 * 64);
    }
    expect(idWithoutReservation(reservedMs, 3, 64)).toBe(ids[0]);
    expect(reservedAt(idWithoutReservation(0, 3, 1))).toBe(reservedAt(0));
  });
});
