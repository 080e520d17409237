import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

// Jest cannot load BullMQ while tslib, which it requires, is being loaded by another import.
await import('tslib');
const { QueueBackpressure } = await import('./queue-backpressure.js');

let now: number;
beforeEach(() => {
  now = 1_000;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => void jest.restoreAllMocks());

/** Counts by a queue whose length a test sets; null: it does not answer. */
function aGateway(waiting: number | null, maxQueued = 3) {
  const queue = { waiting, counted: 0 };
  const backpressure = new QueueBackpressure(
    {
      async getJobCountByTypes() {
        queue.counted += 1;
        if (queue.waiting === null) throw new Error('connection lost');
        return queue.waiting;
      },
    },
    { maxQueued },
  );
  return { queue, backpressure };
}

const FULL = { code: 'OVERLOADED' };

describe('the bound on queued executions', () => {
  it('refuses what would wait behind as many as the limit', async () => {
    await aGateway(2).backpressure.requireRoom();
    await expect(aGateway(3).backpressure.requireRoom()).rejects.toMatchObject(FULL);
  });

  it('refuses nothing while the queue cannot be counted', async () => {
    const { queue, backpressure } = aGateway(3);
    await expect(backpressure.requireRoom()).rejects.toMatchObject(FULL);
    queue.waiting = null;
    now += 251;
    await backpressure.requireRoom();
  });

  it('counts once for requests at the same time, and again a moment later', async () => {
    const { queue, backpressure } = aGateway(2);
    await Promise.all([backpressure.requireRoom(), backpressure.requireRoom()]);
    queue.waiting = 3;
    now += 250;
    await backpressure.requireRoom();
    expect(queue.counted).toBe(1);
    now += 251;
    await expect(backpressure.requireRoom()).rejects.toMatchObject(FULL);
    expect(queue.counted).toBe(2);
  });
});
