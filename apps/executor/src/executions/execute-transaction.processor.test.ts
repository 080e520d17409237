import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import type { ExecuteTransactionJob } from '@forecourt/contracts';
import { LedgerUnreachable } from '@forecourt/ledger';
import { Metrics } from '@forecourt/runtime/metrics';
import { ServiceState } from '@forecourt/runtime/service';
import type { Job } from 'bullmq';
import { ExecutorMetrics } from '../metrics/executor-metrics.js';
import { OutcomePending } from './outcome-pending.js';

// Jest cannot load BullMQ while it is still loading what that has in common with Nest.
const { UnrecoverableError } = await import('bullmq');
const { ExecuteTransactionProcessor } = await import('./execute-transaction.processor.js');

const claim = {
  sponsor: `0x${'a'.repeat(64)}`,
  reservationId: 64,
  digest: 'HWKo1RcVdQgCSnFqRyfJdSgsxGfKjt2jELNFbQEyvCJ9',
  fence: 1,
};

/** `failure`: what executing ends with. */
function aProcessor(failure?: Error) {
  const executed: unknown[] = [];
  const metrics = new Metrics();
  const execute = async (job: unknown) => {
    executed.push(job);
    if (failure) throw failure;
  };
  const processor = new ExecuteTransactionProcessor(
    { concurrency: 1 },
    {} as never,
    { execute } as never,
    { drain: async () => undefined } as never,
    new ExecutorMetrics(metrics),
    new ServiceState(),
  );
  return {
    executed,
    metrics,
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

  it.each([
    ['pending', new OutcomePending('no answer yet')],
    ['ledger_unreachable', new LedgerUnreachable('connect ECONNREFUSED')],
    ['failed', new Error('a defect')],
  ])('counts as %s when that is why it is repeated', async (result, failure) => {
    const { metrics, run } = aProcessor(failure);
    await expect(run(claim)).rejects.toBe(failure);
    const counted = (await metrics.expose()).text
      .split('\n')
      .filter(
        (line) => line.startsWith('forecourt_execution_attempts_total') && line.endsWith(' 1'),
      );
    expect(counted).toEqual([`forecourt_execution_attempts_total{result="${result}"} 1`]);
  });
});
