import 'reflect-metadata';
import { EventEmitter } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { ExecutionJob } from '@forecourt/contracts';
import { Metrics } from '@forecourt/runtime/metrics';
import { type Logger, ServiceState } from '@forecourt/runtime/service';
import { LedgerUnreachable } from '@forecourt/ledger';
import { partial } from '@forecourt/testing/jest';
import type { Job } from 'bullmq';
import { ExecutorMetrics } from '../metrics/executor-metrics.js';
import type { JobPreconditions } from './job-preconditions.js';
import { OutcomePending } from './outcome-pending.js';

// Jest cannot load BullMQ while it is still loading the modules that it shares with Nest.
const { UnrecoverableError } = await import('bullmq');
const { ExecutionsProcessor } = await import('./executions.processor.js');
const { WorkerSupervisor } = await import('./worker-supervisor.js');

const claim = { sponsor: '0xa', reservationId: 64, digest: 'D', fence: 1 };

/** A fake of BullMQ's worker for a processor, and the log of events, in order. */
class StandInWorker extends EventEmitter {
  concurrency = 1;
  closing: Promise<void> | undefined;
  readonly opts = {};
  readonly backend = {
    close: () => undefined,
    moveToActive: () => undefined,
    waitForJob: () => undefined,
  };

  constructor(
    private readonly happened: string[],
    private readonly untilClosed: Promise<void> = Promise.resolve(),
  ) {
    super();
  }

  async run(): Promise<void> {
    this.happened.push('run');
  }

  async pause(): Promise<void> {
    this.happened.push('pause');
  }

  async resume(): Promise<void> {
    this.happened.push('resume');
  }

  async close(): Promise<void> {
    this.happened.push('close');
    this.closing = this.untilClosed;
    await this.closing;
    this.happened.push('closed');
  }
}

interface Process {
  readonly closing?: Promise<void>;
  readonly untilSent?: () => Promise<void>;
  readonly untilPoolsReadable?: () => Promise<void>;
  readonly execute?: () => Promise<void>;
  /** Its node is on another network until this resolves. */
  readonly foreign?: Promise<void>;
}

/** A processor with its whole process; its `state` may set the time limit of open requests. */
function aProcess({ closing, untilSent, untilPoolsReadable, execute, foreign }: Process = {}) {
  const happened: string[] = [];
  const log = (level: string) => (fields: Record<string, unknown>, text: string) =>
    void happened.push([level, text, ...Object.values(fields)].join(': '));
  const nothing = async () => undefined;
  const state = new ServiceState();
  // A stop that began long before.
  state.answerBy = performance.now() + 60_000;
  const logger = { info: log('info'), warn: log('warn'), error: log('error') } as unknown as Logger;
  const preconditions = partial<JobPreconditions>({
    isOnOtherNetwork: async () => foreign !== undefined,
    untilMet: () => foreign ?? nothing(),
    untilPoolsReadable: untilPoolsReadable ?? nothing,
  });
  const processor = new ExecutionsProcessor(
    partial({ concurrency: 7 }),
    logger,
    partial({ execute: execute ?? nothing }),
    partial({}),
    partial({ untilSent: untilSent ?? nothing }),
    partial({ inFlight: 0 }),
    new WorkerSupervisor(preconditions, state, logger),
    new ExecutorMetrics(new Metrics()),
    state,
  );
  const worker = new StandInWorker(happened, closing);
  Object.defineProperty(processor, 'worker', { value: worker });
  const runJob = () => processor.process({ data: claim } as Job<ExecutionJob>);
  return { happened, processor, runJob, state, worker };
}

describe('an executor that starts', () => {
  it('takes as many concurrent jobs as configured, once the pools are known to be readable', async () => {
    const { promise: readable, resolve } = Promise.withResolvers<void>();
    const { happened, processor, worker } = aProcess({ untilPoolsReadable: () => readable });
    processor.onApplicationBootstrap();
    await nextTurn();
    expect([worker.concurrency, happened]).toEqual([7, []]);
    resolve();
    await nextTurn();
    expect(happened).toEqual(['run']);
  });

  it('fails without taking a job when the pools cannot be read', async () => {
    const untilPoolsReadable = () => Promise.reject(new Error('pools of a newer release'));
    const { happened, processor, state } = aProcess({ untilPoolsReadable });
    state.onFail(() => void happened.push('failed'));
    processor.onApplicationBootstrap();
    await nextTurn();
    expect(happened).toEqual(['error: Service cannot start: pools of a newer release', 'failed']);
  });

  it('survives a failing queue, and logs the outcome of jobs', () => {
    const { happened, processor, worker } = aProcess();
    processor.onApplicationBootstrap();
    worker.emit('error', new Error('connection lost'));
    worker.emit('active');
    const job = { data: { digest: 'D' }, attemptsMade: 3 };
    worker.emit('failed', job, new OutcomePending('no answer yet'));
    worker.emit('failed', undefined, new UnrecoverableError('digest must be text'));
    worker.emit('stalled', 'D-64-2');
    expect(happened).toEqual([
      'warn: Queue connection failed: connection lost',
      expect.stringMatching(/^info: Jobs are taken from the queue again/),
      'warn: Execution attempt failed; retrying: D: 3: no answer yet',
      expect.stringMatching(/^error: Execution job removed: .*digest must be text$/),
      'warn: Stalled execution job restarted: D-64-2: D: 64',
    ]);
  });
});

describe('an executor whose node is on another network', () => {
  it('takes no job at its start until the node is right', async () => {
    const right = Promise.withResolvers<void>();
    const { happened, processor } = aProcess({ foreign: right.promise });
    processor.onApplicationBootstrap();
    await nextTurn();
    expect(happened).toEqual([]);
    right.resolve();
    await nextTurn();
    expect(happened).toEqual(['run']);
  });

  it('takes no further jobs after the first ones that fail, until the node is right', async () => {
    const right = Promise.withResolvers<void>();
    const execute = () => Promise.reject(new OutcomePending('it is on network b, not a'));
    const { happened, runJob } = aProcess({ foreign: right.promise, execute });
    await Promise.allSettled([runJob(), runJob()]);
    await nextTurn();
    expect(happened).toEqual(['pause']);
    right.resolve();
    await nextTurn();
    expect(happened).toEqual(['pause', 'resume']);
  });

  it('does not resume a worker that has been closed meanwhile', async () => {
    const right = Promise.withResolvers<void>();
    const execute = () => Promise.reject(new LedgerUnreachable('it is on network b, not a'));
    const { happened, processor, runJob } = aProcess({ foreign: right.promise, execute });
    await runJob().catch(() => undefined);
    await processor.beforeApplicationShutdown();
    right.resolve();
    await nextTurn();
    expect(happened).toEqual(['pause', 'close', 'closed']);
  });
});

describe('an executor that stops', () => {
  it('ends when its jobs are done and the last replies are sent', async () => {
    const [closing, sending] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { happened, processor } = aProcess({
      closing: closing.promise,
      untilSent: () => sending.promise,
    });
    let hasEnded = false;
    const ended = processor.beforeApplicationShutdown().then(() => (hasEnded = true));
    sending.resolve();
    await nextTurn();
    expect([happened, hasEnded]).toEqual([['close'], false]);
    closing.resolve();
    await ended;
    expect(happened).toEqual(['close', 'closed']);
  });

  it('waits for unsent replies', async () => {
    const sending = Promise.withResolvers<void>();
    const { processor } = aProcess({ untilSent: () => sending.promise });
    let hasEnded = false;
    const ended = processor.beforeApplicationShutdown().then(() => (hasEnded = true));
    await nextTurn();
    expect(hasEnded).toBe(false);
    sending.resolve();
    await ended;
  });

  it('hands over jobs that exceed the time limit, and no longer waits for replies', async () => {
    const never = new Promise<never>(() => undefined);
    const closing = Promise.withResolvers<void>();
    const { processor, runJob, state } = aProcess({
      closing: closing.promise,
      untilSent: () => never,
      execute: () => never,
    });
    const job = runJob();
    const startedAt = performance.now();
    state.answerBy = startedAt + 200;
    const ended = processor.beforeApplicationShutdown();
    await expect(job).rejects.toMatchObject({ name: 'OutcomePending', pace: 'soon' });
    closing.resolve();
    await ended;
    const tookMs = performance.now() - startedAt;
    expect(tookMs).toBeGreaterThan(150);
    expect(tookMs).toBeLessThan(5_000);
  });
});
