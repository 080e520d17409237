import { describe, expect, it } from '@jest/globals';
import { errorTable, ForecourtError } from './errors.js';
import { executeTransactionJobId } from './redis/execution-job.js';

describe('errors', () => {
  it('have only the statuses of the specification and the contract, and 404, 413, 415 and 501', () => {
    const statuses = new Set(Object.values(errorTable).map(({ status }) => status));
    expect([...statuses].sort()).toEqual([400, 401, 403, 404, 413, 415, 429, 500, 501, 503]);
  });

  it.each(Object.entries(errorTable))('%s has a cause and a remedy in sentences', (_code, row) => {
    expect(row.cause).toMatch(/^[A-Z][^{}]*\w\.$/);
    expect(row.cause.split(' ').length).toBeGreaterThan(2);
    expect(row.remedy).toMatch(/^[A-Z][^{}]*\w\.$/);
  });

  it('take their cause from the beginning of the message, or from their own column', () => {
    const causeOf = (code: keyof typeof errorTable) => errorTable[code].cause;
    expect(causeOf('RESERVATION_LIMIT')).toBe('Token has reached its reservation limit.');
    expect(causeOf('NO_COINS')).toBe('No gas coins available for this budget.');
    expect(causeOf('PAUSED')).toBe('Sponsoring is paused.');
    expect(causeOf('FORBIDDEN')).toBe('The access rules or the token’s role do not allow it.');
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
