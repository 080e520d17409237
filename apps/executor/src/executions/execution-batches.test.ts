import { describe, expect, it } from '@jest/globals';
import {
  BATCH_JOB_VERSION,
  type ExecuteTransactionJob,
  executeBatchJobId,
  executeTransactionJobId,
} from '@forecourt/contracts';
import { ExecutionBatches } from './execution-batches.js';
import { OutcomePending } from './outcome-pending.js';

const claims = ['D1', 'D2', 'D3'].map((digest, index) => ({
  digest,
  reservationId: 64 * (index + 1),
  fence: 1,
}));
const batch = { version: BATCH_JOB_VERSION, sponsor: '0x5', claims };

/** Runs the batch; `fail`: the error of each digest. Returns what happened, in order. */
async function run(fail: Readonly<Record<string, Error>> = {}, attemptsStarted = 1) {
  const happened: unknown[] = [];
  const batches = new ExecutionBatches(
    {
      add: async (claim, options) => void happened.push(['add', claim.digest, options]),
      leaveShared: async (left) => void happened.push(['leave', left.length]),
    },
    { warn: (fields: object) => void happened.push(['warn', fields]) },
  );
  const attempt = async ({ digest }: ExecuteTransactionJob) => {
    happened.push(digest);
    if (fail[digest]) throw fail[digest];
  };
  await batches.execute(batch, { attemptsStarted, opts: { priority: 7 } }, attempt);
  return happened;
}

describe('the claims of one job', () => {
  it('begin together', async () => {
    expect(await run()).toEqual(['D1', 'D2', 'D3', ['leave', 3]]);
  });

  it('continue with their own jobs, in their turn and after a delay, if they do not finish', async () => {
    const pending = new OutcomePending('no answer yet', { pauseMs: 900 });
    const happened = await run({ D2: pending });
    expect(happened.slice(3)).toEqual([
      ['warn', { version: 1, sponsor: '0x5', ...claims[1], attempt: 1, error: 'no answer yet' }],
      ['add', 'D2', { delay: 900, priority: 7 }],
      ['leave', 3],
    ]);
  });

  it('all get their own jobs at once, unattempted, when their executor has died', async () => {
    const options = { delay: 0, priority: 7 };
    expect(await run({}, 2)).toEqual([
      ['add', 'D1', options],
      ['add', 'D2', options],
      ['add', 'D3', options],
      ['leave', 3],
    ]);
  });

  it('have separate ids beside that of the job they share', () => {
    const ids = new Set([executeBatchJobId(batch), ...claims.map(executeTransactionJobId)]);
    expect(ids.size).toBe(4);
  });
});
