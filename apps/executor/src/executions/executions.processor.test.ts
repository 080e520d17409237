import 'reflect-metadata';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import {
  BATCH_JOB_VERSION,
  type ExecuteTransactionJob,
  executeBatchJobId,
  executeTransactionJobId,
  type ExecutionJob,
  JOB_VERSION,
} from '@forecourt/contracts';
import { LedgerUnreachable } from '@forecourt/ledger';
import { Metrics } from '@forecourt/runtime/metrics';
import { ServiceState } from '@forecourt/runtime/service';
import type { Signers } from '@forecourt/runtime/signers';
import { partial } from '@forecourt/testing/jest';
import type { Job } from 'bullmq';
import { ExecutorMetrics } from '../metrics/executor-metrics.js';
import { OutcomePending, retryDelayMs } from './outcome-pending.js';

// Jest cannot load BullMQ while it is still loading the modules that it shares with Nest.
const { UnrecoverableError } = await import('bullmq');
const { ExecutionsProcessor } = await import('./executions.processor.js');

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const claim = {
  sponsor: `0x${'a'.repeat(64)}`,
  reservationId: 64,
  digest: 'HWKo1RcVdQgCSnFqRyfJdSgsxGfKjt2jELNFbQEyvCJ9',
  fence: 1,
};

interface Taken {
  readonly attemptsStarted?: number;
  readonly priority?: number;
}

/** `failure`: the error of the execution, or that of each digest; `result`: its result. */
function aProcessor(
  failure?: Error | Readonly<Record<string, Error>>,
  result: () => unknown = () => ({}),
) {
  const executed: unknown[] = [];
  /** Digests that are executed, what is done with the queue, and warnings, in order. */
  const happened: unknown[] = [];
  const metrics = new Metrics();
  const execute = async (job: ExecuteTransactionJob): Promise<void> => {
    executed.push(job);
    happened.push(job.digest);
    const error = failure instanceof Error ? failure : failure?.[job.digest];
    if (error) throw error;
    return result() as void;
  };
  const signers = { inFlight: 0 };
  const processor = new ExecutionsProcessor(
    partial({ concurrency: 20 }),
    partial({ warn: (fields: object) => void happened.push(['warn', fields]) }),
    partial({ execute }),
    partial({
      add: async (queued, options) => void happened.push(['add', queued.digest, options]),
      leaveShared: async (left) => void happened.push(['leave', left.length]),
    }),
    partial({}),
    signers as Signers,
    partial({ suspectNode: () => undefined }),
    new ExecutorMetrics(metrics),
    new ServiceState(),
  );
  const worker = { concurrency: 20, woken: 0, mainLoopQueue: { add: () => (worker.woken += 1) } };
  Object.defineProperty(processor, 'worker', { value: worker });
  return {
    executed,
    happened,
    metrics,
    signers,
    worker,
    run: (data: unknown, { attemptsStarted = 1, priority }: Taken = {}) =>
      processor.process({ data, attemptsStarted, opts: { priority } } as Job<ExecutionJob>),
  };
}

describe('a job of the execution queue', () => {
  it('is executed', async () => {
    const { executed, run } = aProcessor();
    await run(claim);
    expect(executed).toEqual([{ ...claim, requestId: undefined }]);
  });

  it('leaves nothing in memory when it has ended', async () => {
    let kept: WeakRef<object> | undefined;
    const { run } = aProcessor(undefined, () => {
      const result = {};
      kept = new WeakRef(result);
      return result;
    });
    await run(claim);
    await nextTurn();
    collectGarbage();
    expect(kept).toBeDefined();
    expect(kept?.deref()).toBeUndefined();
  });

  it.each([
    [{ ...claim, fence: '1' }, 'fence must be an integer'],
    [{ ...claim, digest: '' }, 'digest must be text'],
    [null, 'value must be an object; got null'],
  ])(
    'is removed when it is invalid, with an error that names the field: %p',
    async (data, problem) => {
      const { executed, run } = aProcessor();
      const refused = run(data);
      await expect(refused).rejects.toBeInstanceOf(UnrecoverableError);
      await expect(refused).rejects.toThrow(`Invalid ExecuteTransactionJob: ${problem}`);
      expect(executed).toEqual([]);
    },
  );

  it('is executed when its version is known', async () => {
    const { executed, run } = aProcessor();
    await run({ ...claim, version: JOB_VERSION });
    expect(executed).toHaveLength(1);
  });

  it('is executed claim by claim when it has several, each of which counts', async () => {
    const { executed, metrics, run } = aProcessor();
    const { sponsor, ...first } = claim;
    const claims = [first, { ...first, reservationId: 128, requestId: 'r-2' }];
    await run({ version: BATCH_JOB_VERSION, sponsor, claims });
    const shared = { version: JOB_VERSION, sponsor };
    expect(executed).toEqual(claims.map((one) => ({ ...shared, ...one })));
    expect((await metrics.expose()).text).toContain(
      'forecourt_execution_attempts_total{result="done"} 2',
    );
  });

  it('leaves room for fewer jobs while it has several claims in work, one of which may be slow', async () => {
    const slow = Promise.withResolvers<void>();
    const others = Promise.withResolvers<void>();
    const results = [slow, ...Array.from({ length: 19 }, () => others)];
    const { run, worker } = aProcessor(undefined, () => results.shift()!.promise);
    const { sponsor, ...first } = claim;
    const claims = Array.from({ length: 20 }, () => first);
    const done = run({ version: BATCH_JOB_VERSION, sponsor, claims });
    expect(worker).toMatchObject({ concurrency: 1, woken: 0 });
    others.resolve();
    await nextTurn();
    expect(worker).toMatchObject({ concurrency: 20, woken: 1 });
    slow.resolve();
    await done;
    expect(worker.concurrency).toBe(20);
  });

  it('leaves room for others while key services sign, so that a slow one holds up no other sponsor', async () => {
    const { run, worker, signers } = aProcessor();
    signers.inFlight = 13;
    await run(claim);
    expect(worker.concurrency).toBe(33);
    signers.inFlight = 0;
    await run(claim);
    expect(worker.concurrency).toBe(20);
  });

  it('returns to the queue for a second when its version is newer, and is counted as pending', async () => {
    const { executed, metrics, run } = aProcessor();
    const version = BATCH_JOB_VERSION + 1;
    for (const data of [
      { ...claim, version },
      { version, anything: 'else' },
    ]) {
      const left = await run(data).catch((error: unknown) => error);
      expect(left).toBeInstanceOf(OutcomePending);
      expect((left as Error).message).toBe(
        `This executor understands jobs up to version ${BATCH_JOB_VERSION}, and this one is of version ${version}: left to a newer executor`,
      );
      expect(retryDelayMs(50, left as Error)).toBe(1_000);
    }
    expect(executed).toEqual([]);
    expect((await metrics.expose()).text).toContain(
      'forecourt_execution_attempts_total{result="pending"} 2',
    );
  });

  it.each([0, -1, 1.5, '2', BATCH_JOB_VERSION, Number.MAX_VALUE])(
    'is invalid and removed with version %p',
    async (version) => {
      const { executed, run } = aProcessor();
      await expect(run({ ...claim, version })).rejects.toBeInstanceOf(UnrecoverableError);
      expect(executed).toEqual([]);
    },
  );

  it.each([
    ['pending', new OutcomePending('no answer yet')],
    ['ledger_unreachable', new LedgerUnreachable('connect ECONNREFUSED')],
    ['failed', new Error('a defect')],
  ])('counts as %s when it is repeated for that reason', async (result, failure) => {
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

const claims = ['D1', 'D2', 'D3'].map((digest, index) => ({
  digest,
  reservationId: 64 * (index + 1),
  fence: 1,
}));
const batch = { version: BATCH_JOB_VERSION, sponsor: '0x5', claims };

/** Runs the batch; `fail`: the error of each digest. Returns what happened, in order. */
async function runBatch(fail: Readonly<Record<string, Error>> = {}, attemptsStarted = 1) {
  const { happened, run } = aProcessor(fail);
  await run(batch, { attemptsStarted, priority: 7 });
  return happened;
}

describe('the claims of one job', () => {
  it('begin together', async () => {
    expect(await runBatch()).toEqual(['D1', 'D2', 'D3', ['leave', 3]]);
  });

  it('continue with their own jobs, in their turn and after a delay, if they do not finish', async () => {
    const pending = new OutcomePending('no answer yet', { pauseMs: 900 });
    const happened = await runBatch({ D2: pending });
    expect(happened.slice(3)).toEqual([
      ['warn', { version: 1, sponsor: '0x5', ...claims[1], attempt: 1, error: 'no answer yet' }],
      ['add', 'D2', { delay: 900, priority: 7 }],
      ['leave', 3],
    ]);
  });

  it('all get their own jobs at once, unattempted, when their executor has died', async () => {
    const options = { delay: 0, priority: 7 };
    expect(await runBatch({}, 2)).toEqual([
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
