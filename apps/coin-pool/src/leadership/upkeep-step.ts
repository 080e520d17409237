import type { DueUpkeep } from '@forecourt/coin-store';
import type { Logger } from '@forecourt/runtime/service';
import { MaintenanceFailed } from '../filling/maintenance-failed.js';

/** Upper limit of the pause, which doubles after failures that a repetition does not help. */
const LONGEST_PAUSE_MS = 60_000;
/** Tolerance of the interval: a leader's look may come this much early, at most a tenth of the interval. */
const EARLY_MS = 100;

/** A periodic maintenance task. */
export interface UpkeepStepOptions {
  readonly name: string;
  /** Least time between the beginnings of two runs. */
  readonly everyMs: number;
  readonly isDue: (due: DueUpkeep) => boolean;
  readonly run: (due: DueUpkeep) => Promise<void>;
}

/** One step of a pool's upkeep, one run at a time. */
export class UpkeepStep {
  private running: Promise<void> | null = null;
  private failures = 0;
  private notBefore = -Infinity;

  constructor(
    private readonly logger: Pick<Logger, 'error'>,
    private readonly options: UpkeepStepOptions,
  ) {}

  /** Starts a run, unless one is in progress, the last one was recent, or there is nothing to do. */
  begin(due: DueUpkeep): void {
    const { everyMs, isDue } = this.options;
    const now = performance.now();
    if (this.running !== null || now < this.notBefore || !isDue(due)) return;
    this.notBefore = now + everyMs - Math.min(EARLY_MS, everyMs / 10);
    this.running = this.run(due).finally(() => {
      this.running = null;
    });
  }

  /** Waits for the current run, if any. */
  async untilEnded(): Promise<void> {
    await this.running;
  }

  private async run(due: DueUpkeep): Promise<void> {
    const { name, everyMs, run } = this.options;
    try {
      await run(due);
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
}
