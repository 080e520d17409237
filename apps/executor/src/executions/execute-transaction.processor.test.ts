import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { Metrics } from '@forecourt/runtime/metrics';
import { ServiceState } from '@forecourt/runtime/service';
import type { ExecuteTransactionJob } from '@forecourt/contracts';
import type { Job } from 'bullmq';
import { ExecutorMetrics } from '../metrics/executor-metrics.js';

// Jest cannot load BullMQ while it is still loading what that has in common with Nest.
const { UnrecoverableError } = await import('bullmq');
const { ExecuteTransactionProcessor } = await import('./execute-transaction.processor.js');

const claim = {
  sponsor: `0x${'a'.repeat(64)}`,
  reservationId: 64,
  digest: 'HWKo1RcVdQgCSnFqRyfJdSgsxGfKjt2jELNFbQEyvCJ9',
  fence: 1,
};

function aProcessor() {
  const executed: unknown[] = [];
  const processor = new ExecuteTransactionProcessor(
    { concurrency: 1 },
    {} as never,
    { execute: async (job: unknown) => void executed.push(job) } as never,
    { drain: async () => undefined } as never,
    new ExecutorMetrics(new Metrics()),
    new ServiceState(),
  );
  return {
    executed,
    run: (data: unknown) => processor.process({ data } as Job<ExecuteTransactionJob>),
  };
}

describe('a job of the execution queue', () => {
  it('is executed', async () => {
    const { executed, run } = aProcessor();
    await run(claim);
    expect(executed).toEqual([{ ...claim, requestId: undefined }]);
  });

  it.each([
    [{ ...claim, fence: '1' }, 'fence must be an integer'],
    [{ ...claim, digest: '' }, 'digest must be text'],
    [null, 'value must be an object; got null'],
  ])(
    'that is invalid is removed, with an error that names the field: %p',
    async (data, problem) => {
      const { executed, run } = aProcessor();
      const refused = run(data);
      await expect(refused).rejects.toBeInstanceOf(UnrecoverableError);
      await expect(refused).rejects.toThrow(`Invalid ExecuteTransactionJob: ${problem}`);
      expect(executed).toEqual([]);
    },
  );
});
