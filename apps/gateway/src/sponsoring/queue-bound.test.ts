import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { GATEWAY_CONFIG } from '../gateway-config.module.js';

// Jest cannot load BullMQ while tslib, which it requires, is being loaded by another import.
await import('tslib');
const { EXECUTION_QUEUE } = await import('@forecourt/runtime/queue');
const { Test } = await import('@nestjs/testing');
const MAX_QUEUED = 3;
const { QueueBound } = await import('./queue-bound.js');

/** A gateway, and its queue, whose length a test sets; null: the queue does not answer. */
async function aGateway(waiting: number | null) {
  const queue = { waiting, counted: 0 };
  const getJobCounts = async () => {
    queue.counted += 1;
    if (queue.waiting === null) throw new Error('connection lost');
    return { wait: 0, prioritized: queue.waiting };
  };
  const getRanges = async () => Array.from({ length: queue.waiting! }, (_, i) => `D-${i}-1`);
  const module = await Test.createTestingModule({
    providers: [
      QueueBound,
      { provide: EXECUTION_QUEUE, useValue: { getJobCounts, getRanges } },
      { provide: GATEWAY_CONFIG, useValue: { maxQueued: MAX_QUEUED } },
    ],
  }).compile();
  return { queue, bound: module.get(QueueBound) };
}

const FULL = { code: 'OVERLOADED' };

describe('the bound on queued executions', () => {
  let now: number;
  beforeEach(() => {
    now = 1_000;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => void jest.restoreAllMocks());

  it('refuses an execution that would wait behind as many as the limit', async () => {
    await (await aGateway(2)).bound.requireRoom();
    await expect((await aGateway(3)).bound.requireRoom()).rejects.toMatchObject(FULL);
  });

  it('refuses nothing while the queue cannot be counted', async () => {
    const { queue, bound } = await aGateway(3);
    await expect(bound.requireRoom()).rejects.toMatchObject(FULL);
    queue.waiting = null;
    now += 251;
    await bound.requireRoom();
  });

  it('counts once for requests at the same time, and again a moment later', async () => {
    const { queue, bound } = await aGateway(2);
    await Promise.all([bound.requireRoom(), bound.requireRoom()]);
    queue.waiting = 3;
    now += 249;
    await bound.requireRoom();
    expect(queue.counted).toBe(1);
    now += 251;
    await expect(bound.requireRoom()).rejects.toMatchObject(FULL);
    expect(queue.counted).toBe(2);
  });
});
