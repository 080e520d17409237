import { setTimeout as delay } from 'node:timers/promises';
import { passFailpoint } from '@forecourt/runtime/failpoints';
import { OutageLog, type Logger } from '@forecourt/runtime/service';
import type { HistoryMetrics } from '../metrics/history-metrics.js';
import type { EntrySource, StreamEntry } from '../streams/entry-source.js';
import type { WrittenEntries } from '../streams/written-entries.js';

/** Pauses after failures grow up to this. */
const LONGEST_PAUSE_MS = 5_000;
const FIRST_PAUSE_MS = 100;

export type WriteEntries = (entries: readonly StreamEntry[]) => Promise<WrittenEntries>;

export interface StreamWriterSettings {
  /** Entries of one read. */
  readonly batch: number;
  /** After fewer entries than a batch, more of them are awaited for this long: a transaction costs as much for one as for many. */
  readonly gatherMs: number;
}

/** Moves the entries of one stream into the database, one batch after the other. */
export class StreamWriter {
  private readonly stopping = new AbortController();
  private readonly outage: OutageLog;
  private ended: Promise<void> = Promise.resolve();

  constructor(
    private readonly source: EntrySource,
    private readonly write: WriteEntries,
    private readonly settings: StreamWriterSettings,
    private readonly metrics: HistoryMetrics,
    logger: Pick<Logger, 'info' | 'warn'>,
  ) {
    this.outage = new OutageLog(logger, {
      begins: 'History cannot be written; it is kept in Redis',
      goesOn: 'History still cannot be written',
      ends: 'History is written again',
    });
  }

  start(): void {
    this.ended = this.run();
  }

  /** Finishes the batch at hand and ends. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.source.close();
    await this.ended;
  }

  private async run(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      const entries = await this.repeat(() => this.source.read());
      if (entries === null || entries.length === 0) continue;
      const written = await this.repeat(() => this.write(entries));
      if (written === null) return;
      this.metrics.count(this.source.name, written);
      passFailpoint('history:after-commit');
      await this.repeat(() => this.source.acknowledge(written.done));
      if (entries.length < this.settings.batch) await this.pause(this.settings.gatherMs);
    }
  }

  /** Repeats a step until it succeeds; null where the service stops first. */
  private async repeat<T>(step: () => Promise<T>): Promise<T | null> {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      try {
        const result = await step();
        this.outage.end();
        return result;
      } catch (error) {
        if (this.stopping.signal.aborted) return null;
        this.metrics.failures.add({ stream: this.source.name });
        this.outage.report({ stream: this.source.name, error: (error as Error).message });
        await this.pause(pauseMs);
      }
    }
  }

  private async pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.stopping.signal }).catch(() => undefined);
  }
}
