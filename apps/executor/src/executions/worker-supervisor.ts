import { readExecuteTransactionJobId } from '@forecourt/contracts';
import { type LocalWorker, spareTakes } from '@forecourt/runtime/queue';
import { type Logger, LOGGER, OutageLog, ServiceState } from '@forecourt/runtime/service';
import { Inject, Injectable } from '@nestjs/common';
import { UnrecoverableError, type Worker } from 'bullmq';
import { JobPreconditions } from './job-preconditions.js';

/** Has the worker take jobs while this executor can carry them out, and logs what becomes of them. */
@Injectable()
export class WorkerSupervisor {
  /** How coin-pools of the same process reach the worker. */
  local: LocalWorker | undefined;
  #leaving: Promise<void> | null = null;

  constructor(
    private readonly preconditions: JobPreconditions,
    private readonly state: ServiceState,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  begin(worker: Worker): void {
    const { logger } = this;
    spareTakes(worker, this.local);
    const outage = new OutageLog(logger, {
      begins: 'Queue connection failed',
      goesOn: 'Queue connection still fails',
      ends: 'Jobs are taken from the queue again',
    });
    worker.on('error', (error) => outage.report({ error: error.message }));
    worker.on('active', () => outage.end());
    worker.on('failed', (job, error) => {
      const fields = { ...(job?.data as object), attempt: job?.attemptsMade, error: error.message };
      if (error instanceof UnrecoverableError) logger.error(fields, 'Execution job removed');
      else logger.warn(fields, 'Execution attempt failed; retrying');
    });
    worker.on('stalled', (id) => {
      logger.warn({ id, ...readExecuteTransactionJobId(id) }, 'Stalled execution job restarted');
    });
    void this.run(worker);
  }

  /** Called after each failure: the node may be the reason. */
  suspectNode(worker: Worker): void {
    this.#leaving ??= this.leaveIfForeign(worker)
      .catch((error: Error) => this.logger.warn({ error: error.message }, 'Worker not paused'))
      .finally(() => {
        this.#leaving = null;
      });
  }

  /**
   * Takes jobs until the worker is closed, once it can carry them out; the process ends before the first one
   * if it cannot read the pools.
   */
  private async run(worker: Worker): Promise<void> {
    try {
      await this.preconditions.untilPoolsReadable();
    } catch (error) {
      this.logger.error({ error: (error as Error).message }, 'Service cannot start');
      this.state.fail();
      return;
    }
    await this.preconditions.untilMet();
    await worker.run();
  }

  /**
   * Takes no more jobs while a node is on another network: each would fail, and wait longer than at other
   * executors.
   */
  private async leaveIfForeign(worker: Worker): Promise<void> {
    if (!(await this.preconditions.isOnOtherNetwork())) return;
    await worker.pause(true);
    await this.preconditions.untilMet();
    if (!worker.closing) await worker.resume();
  }
}
