import { setTimeout as delay } from 'node:timers/promises';
import { acquireLock, releaseLock } from '@forecourt/coin-store';
import { ForecourtError } from '@forecourt/contracts';
import type { PoolParts } from '../pool/pool-parts.js';
import { adoptNewCoins } from '../filling/adopt-new-coins.js';
import { fillPool } from '../filling/fill-pool.js';
import { foldDust } from '../filling/fold-dust.js';
import { MaintenanceFailed } from '../filling/maintenance-failed.js';
import { resolveMaintenance } from '../filling/resolve-maintenance.js';
import { reconcilePool } from '../audit/reconcile-pool.js';
import { auditRegularly } from './audit-regularly.js';
import { endHold } from './end-hold.js';
import { sweepClaims, sweepExecutions, sweepExpired } from './sweep-reservations.js';

const LEADER = 'leader';
const LOCK_MS = 5_000;
/** Every so many looks for new coins all are read, whatever their number. */
const THOROUGH_EVERY = 60;
const TICK_MS = 100;
const HOLD_LOOK_MS = 250;
/** What costs gas and fails is tried again after twice the time, up to this. */
const LONGEST_PAUSE_MS = 60_000;

type Step = readonly [
  name: string,
  everyMs: number,
  run: (parts: PoolParts, sponsor: string) => Promise<void>,
];

/**
 * Keeps one sponsor's pool in order, in one process of the fleet at a time: whoever holds the lock. Every step may also
 * run twice at once (a lock can be lost while a step runs): the scripts see to that.
 */
export class LeadPool {
  private readonly stopping = new AbortController();
  private readonly running: Promise<unknown>[] = [];
  private leading = false;
  /** Since this process leads: whether the ledger was searched once, and the pool once filled to its target. */
  private adopted = false;
  private filled = false;
  private looks = 0;

  constructor(
    private readonly parts: PoolParts,
    private readonly sponsor: string,
  ) {}

  start(): void {
    const { scanMs, auditMs } = this.parts.settings;
    this.running.push(
      this.keepLock(),
      this.repeat(this.gated(['sweep expired', TICK_MS, sweepExpired])),
      this.repeat(this.gated(['sweep claims', 1_000, sweepClaims])),
      this.repeat(['end hold', HOLD_LOOK_MS, endHold]),
      this.repeat(['sweep executions', 1_000, sweepExecutions]),
      this.repeat(['resolve maintenance', 1_000, resolveMaintenance]),
      this.repeat(['adopt new coins', scanMs, () => this.adopt()]),
      this.repeat(this.gated(['fill', 1_000, () => this.fill()])),
      this.repeat(this.gated(['fold dust', 1_000, foldDust])),
    );
    if (auditMs > 0) this.running.push(this.repeat(['audit', auditMs, () => this.audit()]));
  }

  /** Ends after the step under way, and lets another process lead at once. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.running);
    await releaseLock(this.parts.redis, this.sponsor, LEADER, this.parts.owner).catch(() => false);
  }

  private async keepLock(): Promise<void> {
    const { redis, owner, logger, metrics } = this.parts;
    const { sponsor } = this;
    while (!this.stopping.signal.aborted) {
      const fence = await acquireLock(redis, this.sponsor, LEADER, owner, LOCK_MS).catch(
        () => null,
      );
      if (fence !== null && !this.leading) {
        logger.info({ sponsor: this.sponsor, fence }, 'leading the pool');
      }
      if (fence === null) {
        this.adopted = this.filled = false;
        metrics.auditDifferences.remove({ sponsor });
      }
      metrics.leading.set({ sponsor }, fence === null ? 0 : 1);
      this.leading = fence !== null;
      await this.pause(LOCK_MS / 5);
    }
  }

  private async adopt(): Promise<void> {
    this.looks += 1;
    await adoptNewCoins(this.parts, this.sponsor, this.looks % THOROUGH_EVERY === 0);
    this.adopted = true;
  }

  /** Funds that have just come are no difference. */
  private async audit(): Promise<void> {
    if (!this.filled) return;
    await adoptNewCoins(this.parts, this.sponsor, true);
    await reconcilePool(this.parts, this.sponsor);
    await auditRegularly(this.parts, this.sponsor);
  }

  /** Whoever takes the lead fills to the target, also where another left off; after that the minimum decides. */
  private async fill(): Promise<void> {
    const { minCoins, targetCoins } = this.parts.settings;
    const threshold = this.filled ? minCoins : targetCoins;
    const { signal } = this.stopping;
    const complete = await fillPool(this.parts, this.sponsor, threshold, signal);
    if (complete && this.adopted) this.filled = true;
  }

  /** Does nothing while coins are held back: a step that sets coins free, or signs for them. */
  private gated([name, everyMs, run]: Step): Step {
    const { gate } = this.parts;
    const isHeld = (error: unknown) =>
      error instanceof ForecourtError && error.code === 'POOL_REFUSED';
    return [
      name,
      everyMs,
      async (parts, sponsor) => {
        try {
          await gate.pass();
        } catch (error) {
          if (isHeld(error)) return;
          throw error;
        }
        await run(parts, sponsor);
      },
    ];
  }

  private async repeat([name, everyMs, run]: Step): Promise<void> {
    const { logger } = this.parts;
    let failures = 0;
    while (!this.stopping.signal.aborted) {
      if (!this.leading) {
        await this.pause(TICK_MS);
        continue;
      }
      let pauseMs = everyMs;
      try {
        await run(this.parts, this.sponsor);
        failures = 0;
      } catch (error) {
        failures += 1;
        if (failures === 1)
          logger.error({ step: name, error: String(error) }, 'a step of the pool failed');
        if (error instanceof MaintenanceFailed)
          pauseMs = Math.min(everyMs * 2 ** failures, LONGEST_PAUSE_MS);
      }
      await this.pause(pauseMs);
    }
  }

  private async pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.stopping.signal }).catch(() => undefined);
  }
}
