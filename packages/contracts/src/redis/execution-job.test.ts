import { describe, expect, it } from '@jest/globals';
import { readDto } from '../dto/index.js';
import {
  BATCH_JOB_VERSION,
  claimsOfJob,
  countClaimsOfJob,
  ExecuteBatchJob,
  executeBatchJobId,
  executeTransactionJobId,
  JOB_VERSION,
  readExecuteTransactionJobId,
} from './execution-job.js';

const one = { digest: 'D1', reservationId: 64, fence: 1 };
const two = { digest: 'D2', reservationId: 128, fence: 3, requestId: 'r-2' };
const batch = { version: BATCH_JOB_VERSION, sponsor: '0x5', claims: [one, two] };

describe('a job with several claims', () => {
  it('contains the claims as jobs with one claim have them', () => {
    const read = readDto(ExecuteBatchJob, batch);
    const shared = { version: JOB_VERSION, sponsor: '0x5' };
    expect(claimsOfJob(read)).toEqual([
      { ...shared, ...one },
      { ...shared, ...two },
    ]);
    const alone = { sponsor: '0x5', ...one };
    expect(claimsOfJob(alone)).toEqual([alone]);
  });

  it('has an id that names its first claim and their number, and is not an id of a single claim', () => {
    const id = executeBatchJobId(batch);
    expect(readExecuteTransactionJobId(id)).toEqual({ digest: 'D1', reservationId: 64 });
    expect([countClaimsOfJob(id), countClaimsOfJob(executeTransactionJobId(one))]).toEqual([2, 1]);
    expect(id).not.toBe(executeTransactionJobId(one));
  });

  it.each([
    [{ ...batch, claims: [{ ...one, fence: 0 }] }, 'claims[0].fence must be an integer'],
    [{ ...batch, claims: [] }, 'claims must have 2 to 20 claims'],
    [{ ...batch, claims: Array.from({ length: 21 }, () => one) }, 'claims must have 2 to 20'],
    [{ ...batch, claims: 'D1' }, 'claims must be an array'],
    [{ ...batch, version: 1 }, 'version must be an integer from 2 to 2'],
  ])('is invalid: %p', (data, problem) => {
    expect(() => readDto(ExecuteBatchJob, data)).toThrow(problem);
  });
});
