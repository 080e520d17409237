import { UnsupportedByUpstream } from '../unsupported-by-upstream.js';

/**
 * Checkpoints after which the speed is known: the first pages are small, and take about as long as large
 * ones.
 */
const MEASURED_CHECKPOINTS = 100;
/** Share of the time limit before which a walk is not ended, because it may soon find enough. */
const MEASURED_SHARE = 1 / 30;
/** An estimate must exceed the limit by this factor, since a single page can be slow. */
const TOLERANCE = 1.25;

interface Read {
  readonly time: number;
  readonly checkpoints: number;
}

/** A query that reads one checkpoint after another, because the node has no index for it. */
export class Walk {
  /** Null while the query uses an index. */
  #total: number | null = null;
  #reads: Read[];
  readonly #startedAt: number;

  constructor(
    private readonly criterion: string,
    private readonly limitMs: number,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.#startedAt = now();
    this.#reads = [{ time: this.#startedAt, checkpoints: 0 }];
  }

  /** From here on, `total` checkpoints are read, unless enough events are found before. */
  begin(total: number): void {
    this.#total = total;
  }

  /** Counts further checkpoints that have been read. */
  advance(checkpoints: number): void {
    const walked = this.#reads.at(-1)!.checkpoints + checkpoints;
    // Only the last two pages determine the speed: the first ones are small, or cached.
    this.#reads = [...this.#reads.slice(-2), { time: this.now(), checkpoints: walked }];
  }

  /**
   * Throws `UnsupportedByUpstream` if neither the last checkpoint nor the last requested event is reached in
   * time.
   */
  judge(foundCount: number, limit: number): void {
    if (this.#total === null) return;
    const last = this.#reads.at(-1)!;
    const elapsedMs = this.now() - this.#startedAt;
    if (elapsedMs < this.limitMs * MEASURED_SHARE || last.checkpoints < MEASURED_CHECKPOINTS)
      return;
    const first = this.#reads[0]!;
    const msEach = (last.time - first.time) / (last.checkpoints - first.checkpoints);
    const untilEnd = elapsedMs + msEach * (this.#total - last.checkpoints);
    const untilFound = foundCount === 0 ? Infinity : (elapsedMs * limit) / foundCount;
    const estimateMs = Math.min(untilEnd, untilFound);
    if (estimateMs > TOLERANCE * this.limitMs) throw this.tooLong(this.#total, untilEnd);
  }

  private tooLong(checkpoints: number, estimateMs: number): UnsupportedByUpstream {
    const [estimate, limit] = [estimateMs, this.limitMs].map((ms) => Math.ceil(ms / 1_000));
    return new UnsupportedByUpstream(
      'unanswerable',
      `Query would take too long: the ledger node has no index that finds events by ${this.criterion}, reading its ${checkpoints} checkpoints would take about ${estimate} s, and a query may take ${limit} s; query a TimeRange, by Sender or by MoveEvent, or set EVENTS_DATABASE_URL to keep an index of all events`,
      { criterion: this.criterion, checkpoints, estimateSecs: estimate, limitSecs: limit },
    );
  }
}
