import { setTimeout as delay } from 'node:timers/promises';
import { untilTick } from '@forecourt/resilience';
import { OutageLog } from './outage-log.js';
import type { Logger } from './logger.js';

export interface TaskDescription {
  /** In log lines: `discover sponsors`. */
  readonly name: string;
  readonly everyMs: number;
  readonly run: () => Promise<void>;
}

/** Runs a task now and regularly afterwards, also when it fails. */
export class RepeatedTask {
  readonly #stopping = new AbortController();
  readonly #failing: OutageLog;
  #ended: Promise<void> = Promise.resolve();

  constructor(
    private readonly task: TaskDescription,
    logger: Logger,
  ) {
    this.#failing = new OutageLog(logger, {
      begins: `Cannot ${task.name}`,
      goesOn: `Still cannot ${task.name}`,
      ends: `Can ${task.name} again`,
    });
  }

  start(): void {
    this.#ended = this.repeat();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#ended;
  }

  private async repeat(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        await this.task.run();
        this.#failing.end();
      } catch (error) {
        this.#failing.report({ error: (error as Error).message });
      }
      await delay(untilTick(this.task.everyMs), undefined, { signal }).catch(() => undefined);
    }
  }
}
