import { describe, expect, it } from '@jest/globals';
import { nameEpoch, nameEpochEnd } from './epoch-end.js';

const NOW = new Date(2026, 10, 25, 11, 5).getTime();
const END = NOW + 3 * 3_600_000;

describe('the end of the epoch', () => {
  it('is a time', () => {
    expect(nameEpoch(7, END, NOW)).toBe('epoch 7 ends 14:05, in 3 h');
    expect(nameEpochEnd(7, { epoch: 7, epoch_ends_at: END }, NOW)).toBe('14:05, in 3 h');
  });

  it('is unknown where no node tells it, and for another epoch', () => {
    expect(nameEpoch(null, null, NOW)).toBe('the ledger’s epoch is unknown');
    expect(nameEpoch(7, null, NOW)).toBe('the ledger is in epoch 7');
    expect(nameEpoch(7, NOW - 1, NOW)).toBe('epoch 7 is about to end');
    expect(nameEpochEnd(8, { epoch: 7, epoch_ends_at: END }, NOW)).toBe('after epoch 8');
    expect(nameEpochEnd(7, { epoch: 7, epoch_ends_at: null }, NOW)).toBe('after epoch 7');
  });
});
