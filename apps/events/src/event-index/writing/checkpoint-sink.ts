import type { StoredEventRecord } from '@forecourt/contracts';
import { type CheckpointBatch, CheckpointGatherer } from './checkpoint-gatherer.js';
import type { Place } from '../store/place.js';

/** Records that may wait: while one batch is written, the next is read. */
const MAX_WAITING_BYTES = 16 * 2 ** 20;

/** Writes gathered checkpoints in order, one batch at a time, while further records arrive. */
export class CheckpointSink {
  readonly #gatherer: CheckpointGatherer;
  readonly #failed = new AbortController();
  #writing: Promise<void> | null = null;

  constructor(
    first: Place,
    private readonly write: (batch: CheckpointBatch) => Promise<void>,
  ) {
    this.#gatherer = new CheckpointGatherer(first);
  }

  /** Aborts, with the error, when a batch cannot be written. */
  get failed(): AbortSignal {
    return this.#failed.signal;
  }

  /** Whether records wait while others are written. */
  get isBehind(): boolean {
    return this.#writing !== null && this.#gatherer.bytes > 0;
  }

  /** Resolves when there is room for more. Throws the error of an earlier write, or an `Error` about the order of records. */
  async push(records: readonly StoredEventRecord[]): Promise<void> {
    this.#failed.signal.throwIfAborted();
    this.#gatherer.add(records);
    this.#writing ??= this.writeAll().finally(() => (this.#writing = null));
    if (this.#gatherer.bytes <= MAX_WAITING_BYTES) return;
    await this.#writing;
    this.#failed.signal.throwIfAborted();
  }

  /** Resolves when every whole checkpoint is written, or one cannot be. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  /** Never rejects. */
  private async writeAll(): Promise<void> {
    try {
      for (;;) {
        const batch = this.#gatherer.take();
        if (batch === null) return;
        await this.write(batch);
      }
    } catch (error) {
      this.#failed.abort(error);
    }
  }
}
