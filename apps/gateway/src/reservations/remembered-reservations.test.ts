import { describe, expect, it } from '@jest/globals';
import type { FoundReservation } from '@forecourt/contracts';
import { RememberedReservations } from './remembered-reservations.js';

const coin = { objectId: '0x1', version: 1, digest: 'D' };
const aReservation = (reservationId: number, coins = 1): FoundReservation => ({
  reservationId,
  sponsor: '0x5',
  state: 'reserved',
  gasBudget: 1_000,
  durationSecs: 60,
  coins: Array(coins).fill(coin),
  mayLeaveDust: false,
  digest: null,
  fence: 0,
  refusal: null,
});

describe('remembered reservations', () => {
  it('are returned once, and to their own caller only', () => {
    const remembered = new RememberedReservations();
    remembered.add('shop', aReservation(64));
    expect(remembered.take('other', 64)).toBeNull();
    expect(remembered.take('shop', 128)).toBeNull();
    expect(remembered.take('shop', 64)).toEqual(aReservation(64));
    expect(remembered.take('shop', 64)).toBeNull();
  });

  it('take a bounded amount of memory: the oldest are forgotten, large ones are not kept', () => {
    const remembered = new RememberedReservations();
    for (let id = 0; id < 20_005; id++) remembered.add('shop', aReservation(id));
    expect(remembered.size).toBe(20_000);
    expect(remembered.take('shop', 4)).toBeNull();
    expect(remembered.take('shop', 5)).not.toBeNull();
    remembered.add('shop', aReservation(30_000, 9));
    expect(remembered.take('shop', 30_000)).toBeNull();
  });
});
