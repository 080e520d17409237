import { setTimeout as delay } from 'node:timers/promises';
import { type Failpoint, failpoints } from '@forecourt/runtime/failpoints';
import type { ServiceProcess } from '@forecourt/testing/system';
import type { Tally } from './tally.js';
import type { Life, Mortal } from './plan-chaos.js';
import type { Seldom } from './keep-alive.js';

const PAUSE_MS = 50;
const READY_MS = 60_000;
const LOG_IS_WRITTEN_MS = 3_000;

/**
 * One replica under a supervisor that restarts it after each death and arms it as planned for its next life.
 */
export class KeptAlive {
  #killedFromOutside = false;
  #supervising: Promise<void> | null = null;
  /** Number of planned lives that ended at their failpoint. */
  #lived = 0;

  constructor(
    readonly app: Mortal,
    private readonly service: ServiceProcess,
    private readonly lives: readonly Life[],
    private readonly seldom: Seldom,
    private readonly tally: Tally,
    private readonly stopping: AbortSignal,
  ) {}

  /** Begins to watch the running process. After `stopping` is aborted, it is restarted unarmed. */
  supervise(finished: AbortSignal): void {
    this.#supervising = this.keepUp(finished);
  }

  /** Sends SIGKILL now. False: the process is already dead. */
  kill(): boolean {
    if (!this.service.running) return false;
    this.#killedFromOutside = true;
    this.service.kill('SIGKILL');
    return true;
  }

  /** Whether the process may die at one of its failpoints. */
  isArmed = false;

  /** Whether every planned life has ended. */
  get livedThrough(): boolean {
    return this.#lived >= this.lives.length;
  }

  /** Waits until the service is ready, in any of its lives. Throws after a timeout. */
  async ready(): Promise<void> {
    const deadline = performance.now() + READY_MS;
    for (;;) {
      try {
        return await this.service.ready();
      } catch (error) {
        if (performance.now() > deadline) throw error;
        await delay(PAUSE_MS);
      }
    }
  }

  async ended(): Promise<void> {
    await this.#supervising;
  }

  private async keepUp(finished: AbortSignal): Promise<void> {
    let written = 0;
    while (!finished.aborted) {
      await Promise.race([this.service.exited(), aborted(finished)]);
      if (finished.aborted) return;
      const log = await this.note(written);
      written = log.length;
      await delay(PAUSE_MS);
      this.service.launch(this.nextEnvironment());
    }
  }

  /** Finds the cause of the process's end. */
  private async note(from: number): Promise<string> {
    if (this.#killedFromOutside) {
      this.#killedFromOutside = false;
      return this.service.log();
    }
    const deadline = performance.now() + LOG_IS_WRITTEN_MS;
    for (;;) {
      const log = await this.service.log();
      const point = /^failpoint (\S+)$/m.exec(log.slice(from))?.[1] as Failpoint | undefined;
      if (point && Object.hasOwn(failpoints, point)) {
        this.tally.died(point);
        if (this.lives[this.#lived]?.has(point)) this.#lived += 1;
        else this.seldom.set(point, (this.seldom.get(point) ?? 1) - 1);
        return log;
      }
      if (performance.now() > deadline) {
        const lastLine = log.trimEnd().split('\n').at(-1) ?? '';
        this.tally.surprises.push(`${this.service.name} ended without a kill: ${lastLine}`);
        return log;
      }
      await delay(PAUSE_MS);
    }
  }

  private nextEnvironment(): NodeJS.ProcessEnv {
    this.isArmed = false;
    if (this.stopping.aborted) return {};
    const always = [...this.seldom]
      .filter(([point, left]) => left > 0 && point.startsWith(`${this.app}:`))
      .map(([point]) => [point, 1] as const);
    const points = [...always, ...(this.lives[this.#lived] ?? [])];
    this.isArmed = points.length > 0;
    if (!this.isArmed) return {};
    return {
      FORECOURT_FAILPOINTS: points.map(([point, nth]) => `${point}=${nth}`).join(','),
    };
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
