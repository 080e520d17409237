import { describe, expect, it } from '@jest/globals';
import { errorTable, ForecourtError } from './errors.js';
import { executeTransactionJobId } from './redis/execution-job.js';

describe('errors', () => {
  it('have only the statuses of the specification and the contract, and 404, 413, 415 and 501', () => {
    const statuses = new Set(Object.values(errorTable).map(({ status }) => status));
    expect([...statuses].sort()).toEqual([400, 401, 403, 404, 413, 415, 429, 500, 501, 503]);
  });

  it('distinguish a limit of requests from one of spending', () => {
    const error = new ForecourtError('REQUEST_LIMIT', 'requests <= 1 in 1 day by rule few');
    expect([error.status, error.message]).toEqual([
      429,
      'Limit of requests reached: requests <= 1 in 1 day by rule few',
    ]);
  });

  it('fill in their detail unchanged', () => {
    const error = new ForecourtError('REFUSED_BY_LEDGER', 'costs $& more');
    expect([error.message, error.status]).toEqual(['costs $& more', 400]);
    expect(new ForecourtError('RESERVATION_USED', '7').message).toContain('7');
  });
});

describe('the id of a job', () => {
  it('is the same for the same claim only, and never an integer', () => {
    const job = { sponsor: '0x5', reservationId: 64, digest: '123', fence: 1 };
    expect(executeTransactionJobId(job)).toBe(executeTransactionJobId({ ...job }));
    expect(executeTransactionJobId({ ...job, fence: 2 })).not.toBe(executeTransactionJobId(job));
    const another = { ...job, reservationId: job.reservationId + 64 };
    expect(executeTransactionJobId(another)).not.toBe(executeTransactionJobId(job));
    expect(Number.isNaN(Number(executeTransactionJobId(job)))).toBe(true);
  });
});
