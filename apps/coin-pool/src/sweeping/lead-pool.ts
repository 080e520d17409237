import { setTimeout as delay } from 'node:timers/promises';
import { acquireLock, releaseLock } from '@forecourt/coin-store';
import type { PoolParts } from '../pool/pool-parts.js';
import { adoptNewCoins } from '../filling/adopt-new-coins.js';
import { fillPool } from '../filling/fill-pool.js';
import { foldDust } from '../filling/fold-dust.js';
import { resolveMaintenance } from '../filling/resolve-maintenance.js';
import { sweepClaims, sweepExecutions, sweepExpired } from './sweep-reservations.js';

const LEADER = 'leader';
const LOCK_MS = 5_000;
const TICK_MS = 100;

type Step = readonly [
  name: string,
  everyMs: number,
  run: (parts: PoolParts, sponsor: string, stopped: AbortSignal) => Promise<void>,
];

/**
 * Keeps one sponsor's pool in order, in one process of the fleet at a time: whoever holds the lock. Every step may also
 * run twice at once (a lock can be lost while a step runs): the scripts see to that.
 */
export class LeadPool {
  private readonly stopping = new AbortController();
  private readonly running: Promise<unknown>[] = [];
  private leading = false;

  constructor(
    private readonly parts: PoolParts,
    private readonly sponsor: string,
  ) {}

  start(): void {
    const { scanMs } = this.parts.settings;
    this.running.push(
      this.keepLock(),
      this.repeat(['sweep expired', TICK_MS, sweepExpired]),
      this.repeat(['sweep claims', 1_000, sweepClaims]),
      this.repeat(['sweep executions', 1_000, sweepExecutions]),
      this.repeat(['resolve maintenance', 1_000, resolveMaintenance]),
      this.repeat(['adopt new coins', scanMs, adoptNewCoins]),
      this.repeat(['fill', 1_000, fillPool]),
      this.repeat(['fold dust', 1_000, foldDust]),
    );
  }

  /** Ends after the step under way, and lets another process lead at once. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.running);
    await releaseLock(this.parts.redis, this.sponsor, LEADER, this.parts.owner).catch(() => false);
  }

  private async keepLock(): Promise<void> {
    const { redis, owner, logger } = this.parts;
    while (!this.stopping.signal.aborted) {
      const fence = await acquireLock(redis, this.sponsor, LEADER, owner, LOCK_MS).catch(
        () => null,
      );
      if (fence !== null && !this.leading) {
        logger.info({ sponsor: this.sponsor, fence }, 'leading the pool');
      }
      this.leading = fence !== null;
      await this.pause(LOCK_MS / 5);
    }
  }

  private async repeat([name, everyMs, run]: Step): Promise<void> {
    const { logger } = this.parts;
    let failing = false;
    while (!this.stopping.signal.aborted) {
      if (!this.leading) {
        await this.pause(TICK_MS);
        continue;
      }
      try {
        await run(this.parts, this.sponsor, this.stopping.signal);
        failing = false;
      } catch (error) {
        if (!failing)
          logger.error({ step: name, error: String(error) }, 'a step of the pool failed');
        failing = true;
      }
      await this.pause(everyMs);
    }
  }

  private async pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.stopping.signal }).catch(() => undefined);
  }
}
