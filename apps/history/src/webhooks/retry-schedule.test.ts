import { describe, expect, it } from '@jest/globals';
import { DELIVER_WITHIN_MS } from './delivery-outbox.js';
import { MOST_ATTEMPTS, pauseAfterAttempt, restAfterFailures } from './retry-schedule.js';

const attempts = Array.from({ length: MOST_ATTEMPTS - 1 }, (_, index) => index + 1);

describe('the pauses between attempts', () => {
  it.each([0, 0.5, 1])('grow, and end within three days with jitter %d', (random) => {
    const pauses = attempts.map((attempt) => pauseAfterAttempt(attempt, random)!);
    expect(pauses).toEqual([...pauses].sort((one, other) => one - other));
    expect(new Set(pauses).size).toBe(MOST_ATTEMPTS - 1);
    const total = pauses.reduce((sum, pause) => sum + pause, 0);
    expect(total).toBeGreaterThan(DELIVER_WITHIN_MS / 2);
    // With the time limit of each attempt.
    expect(total + MOST_ATTEMPTS * 10_000).toBeLessThan(DELIVER_WITHIN_MS);
  });

  it('differ between deliveries that failed together', () => {
    expect(pauseAfterAttempt(3, 0.1)).not.toBe(pauseAfterAttempt(3, 0.9));
  });

  it('end with the twelfth attempt', () => {
    expect(pauseAfterAttempt(12)).toBeNull();
  });
});

describe('the rest of a receiver', () => {
  it('grows from seconds to minutes', () => {
    const rests = [1, 2, 3, 7, 8, 1_000].map((failures) => restAfterFailures(failures, 0));
    expect(rests).toEqual([5_000, 10_000, 20_000, 300_000, 300_000, 300_000]);
    expect(restAfterFailures(8, 1)).toBe(375_000);
  });
});
