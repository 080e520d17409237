import { setTimeout as delay } from 'node:timers/promises';
import { OutageLog, type Logger } from '@forecourt/runtime/service';
import type { Hole } from '../store/place.js';
import type { FillAttempt } from './fill-attempt.js';
import type { HoleClaims } from './hole-claims.js';

/** How often idle workers look for holes. */
const LOOK_EVERY_MS = 2_000;

/** Reads what the index does not have, the newest first, in several ranges at a time. */
export class Backfill {
  private readonly failing: OutageLog;

  constructor(
    private readonly claims: HoleClaims,
    private readonly attempt: FillAttempt,
    private readonly workers: number,
    logger: Logger,
  ) {
    this.failing = new OutageLog(logger, {
      begins: 'Cannot fill the holes of the index of events',
      goesOn: 'Still cannot fill the holes of the index of events',
      ends: 'Can fill the holes of the index of events again',
    });
  }

  /** Resolves when `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all(Array.from({ length: this.workers }, () => this.work(signal)));
  }

  private async work(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const hole = await this.claims.take();
        if (hole !== null) {
          await this.fill(hole, signal);
          continue;
        }
        this.failing.end();
      } catch (error) {
        this.failing.report({ error: (error as Error).message });
      }
      await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  private async fill(hole: Hole, signal: AbortSignal): Promise<void> {
    try {
      await this.attempt.fill(hole, signal);
    } finally {
      this.claims.release(hole);
    }
  }
}
