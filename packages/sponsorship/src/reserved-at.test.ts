import { describe, expect, it } from '@jest/globals';
import { firstReservationAt, reservedAt } from './reserved-at.js';
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
