import { describe, expect, it } from '@jest/globals';
import { ReleaseUnusedReservation } from './release-unused-reservation.js';

const message = { caller: 'shop', reservationId: 64 };

/** What is asked and logged while a coin-pool answers like this. */
async function release(answer: () => Promise<void>) {
  const asked: unknown[] = [];
  const warned: unknown[] = [];
  const releaseReservation = (released: unknown) => {
    asked.push(released);
    return answer();
  };
  await new ReleaseUnusedReservation(
    { releaseReservation } as never,
    {
      warn: (fields: unknown) => void warned.push(fields),
    } as never,
  ).run(message, 'r-1');
  return { asked, warned };
}

describe('the release of a reservation that cannot be used', () => {
  it('gives its coins back', async () => {
    expect(await release(async () => undefined)).toEqual({ asked: [message], warned: [] });
  });

  it('is left to the deadline, and logged, when the coin-pool fails to do it', async () => {
    const { warned } = await release(() => Promise.reject(new Error('down')));
    expect(warned).toEqual([{ requestId: 'r-1', reservationId: 64, cause: 'Error: down' }]);
  });
});
