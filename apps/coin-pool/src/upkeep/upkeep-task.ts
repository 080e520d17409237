import type { DueUpkeep } from '@forecourt/coin-store';
import { ForecourtError } from '@forecourt/contracts';
import type { Logger } from '@forecourt/runtime/service';
import type { RestartGuard } from '../pool/restart-guard.js';

/** Upper limit of the pause, which doubles after failures that a repetition does not help. */
const LONGEST_PAUSE_MS = 60_000;
/** Tolerance of the interval: a leader's look may come this much early, at most a tenth of the interval. */
const EARLY_MS = 100;

/**
 * A split, consolidation or withdrawal was refused, or cost gas without a result, or a pool could not be rebuilt:
 * an immediate repetition would not help.
 */
export class MaintenanceFailed extends Error {
  override readonly name = 'MaintenanceFailed';
}

/** The time in which one process leads a pool. */
export class Term {
  /** The ledger was searched for coins at least once. */
  hasAdopted = false;
  /** The pool was filled to its target at least once. */
  isFilled = false;
  /** The whole pool was checked for lost keys. */
  isExamined = false;
  /** Number of searches for new coins. */
  searches = 0;
}

/** A leader's look at its pool: the work that is due. */
export interface Look extends DueUpkeep {
  readonly sponsor: string;
  readonly term: Term;
  /** Aborted when the leader stops. */
  readonly stopped: AbortSignal;
}

/** A periodic maintenance task. */
export interface UpkeepTask {
  readonly name: string;
  /** Least time between the beginnings of two runs. */
  readonly everyMs: number;
  readonly isDue: (look: Look) => boolean;
  readonly run: (look: Look) => Promise<unknown>;
  /** It makes coins available or signs for them: it is skipped while coins are suspended. */
  readonly skipsSuspended?: boolean;
}

/** Runs one task for one pool, one run at a time. */
export class TaskRunner {
  private running: Promise<void> | null = null;
  private failures = 0;
  private notBefore = -Infinity;

  constructor(
    private readonly task: UpkeepTask,
    private readonly guard: Pick<RestartGuard, 'check'>,
    private readonly logger: Pick<Logger, 'error'>,
  ) {}

  /** Starts a run, unless one is in progress, the last one was recent, or there is nothing to do. */
  begin(look: Look): void {
    const { everyMs, isDue } = this.task;
    const now = performance.now();
    if (this.running !== null || now < this.notBefore || !isDue(look)) return;
    this.notBefore = now + everyMs - Math.min(EARLY_MS, everyMs / 10);
    this.running = this.run(look).finally(() => {
      this.running = null;
    });
  }

  /** Waits for the current run, if any. */
  async untilEnded(): Promise<void> {
    await this.running;
  }

  private async run(look: Look): Promise<void> {
    const { name, everyMs, run, skipsSuspended } = this.task;
    try {
      if (!skipsSuspended || (await this.mayUseCoins())) await run(look);
      this.failures = 0;
    } catch (error) {
      this.failures += 1;
      if (this.failures === 1) {
        const fields = { step: name, error: String(error) };
        this.logger.error(fields, 'Pool upkeep step failed; retrying');
      }
      if (error instanceof MaintenanceFailed) {
        const pauseMs = Math.min(everyMs * 2 ** this.failures, LONGEST_PAUSE_MS);
        this.notBefore = performance.now() + pauseMs;
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
