import { ForecourtError } from '@forecourt/contracts';
import type { Logger } from '@forecourt/runtime/service';
import { RestartGuard } from '../pool/restart-guard.js';
import type { Look, UpkeepTask } from './upkeep-task.js';
import { MaintenanceFailed } from './maintenance-failed.js';

/** Upper limit of the pause, which doubles after failures that a repetition does not help. */
const LONGEST_PAUSE_MS = 60_000;
/** Tolerance of the interval: a leader's look may come this much early, at most a tenth of the interval. */
const EARLY_MS = 100;

/** Runs one task for one pool, one run at a time. */
export class TaskRunner {
  #running: Promise<void> | null = null;
  #failures = 0;
  #notBefore = -Infinity;

  constructor(
    private readonly task: UpkeepTask,
    private readonly guard: RestartGuard,
    private readonly logger: Logger,
  ) {}

  /** Starts a run, unless one is in progress, the last one was recent, or there is nothing to do. */
  begin(look: Look): void {
    const { everyMs, isDue } = this.task;
    const now = performance.now();
    if (this.#running !== null || now < this.#notBefore || !isDue(look)) return;
    this.#notBefore = now + everyMs - Math.min(EARLY_MS, everyMs / 10);
    this.#running = this.run(look).finally(() => {
      this.#running = null;
    });
  }

  /** Waits for the current run, if any. */
  async untilEnded(): Promise<void> {
    await this.#running;
  }

  private async run(look: Look): Promise<void> {
    const { name, everyMs, run, skipsSuspended } = this.task;
    try {
      if (!skipsSuspended || (await this.mayUseCoins())) await run(look);
      this.#failures = 0;
    } catch (error) {
      this.#failures += 1;
      if (this.#failures === 1) {
        const fields = { step: name, error: String(error) };
        this.logger.error(fields, 'Pool upkeep step failed; retrying');
      }
      if (error instanceof MaintenanceFailed) {
        const pauseMs = Math.min(everyMs * 2 ** this.#failures, LONGEST_PAUSE_MS);
        this.#notBefore = performance.now() + pauseMs;
      }
    }
  }

  /** False while coins are suspended. */
  private async mayUseCoins(): Promise<boolean> {
    try {
      await this.guard.check();
      return true;
    } catch (error) {
      if (error instanceof ForecourtError && error.code === 'POOL_REFUSED') return false;
      throw error;
    }
  }
}
