import { describe, expect, it } from '@jest/globals';
import {
  executeTransactionJobOptions,
  type FoundReservation,
  JOB_VERSION,
} from '@forecourt/contracts';
import { withLogFields } from '@forecourt/runtime/service';

// Jest cannot load BullMQ while tslib, which it requires, is being loaded by another import.
await import('tslib');
const { EnqueueExecution } = await import('./enqueue-execution.js');

const reservation = { sponsor: '0x5', reservationId: 64, fence: 2 } as FoundReservation;

describe('a claim that is handed to the executors', () => {
  it('becomes one job, named by digest, reservation and fence, that says which request it is for', async () => {
    const added: unknown[] = [];
    const queue = { name: 'execute', add: async (...job: unknown[]) => void added.push(job) };
    const enqueue = new EnqueueExecution(queue as never);
    const claim = {
      version: JOB_VERSION,
      sponsor: '0x5',
      reservationId: 64,
      digest: 'D',
      fence: 2,
    };
    await enqueue.run(reservation, 'D');
    await withLogFields({ requestId: 'r-1' }, () => enqueue.run(reservation, 'D'));
    const options = { ...executeTransactionJobOptions, jobId: 'D-64-2' };
    expect(added).toEqual([
      ['execute', claim, options],
      ['execute', { ...claim, requestId: 'r-1' }, options],
    ]);
  });

  it('has an unknown outcome when the queue does not take it: the call may be repeated', async () => {
    const cause = new Error('connection lost');
    const enqueue = new EnqueueExecution({
      name: 'execute',
      add: () => Promise.reject(cause),
    } as never);
    await expect(enqueue.run(reservation, 'D')).rejects.toMatchObject({
      code: 'OUTCOME_UNKNOWN',
      retryAfterSecs: 2,
      cause,
    });
  });
});
