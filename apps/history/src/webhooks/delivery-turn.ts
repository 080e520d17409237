import type { DeliveryStore, DueDelivery, RecordedAttempt } from './delivery-store.js';
import type { Receiver } from './webhook-directory.js';
import { isGone, type WebhookSender } from './webhook-sender.js';
import { WebhookMetrics } from './webhook-metrics.js';
import { MOST_ATTEMPTS, pauseAfterAttempt, restAfterFailures } from './retry-schedule.js';

/** Deliveries that a turn begins with. */
const MOST_DELIVERIES = 100;
/** No attempt begins later in a turn, so that receivers with many deliveries alternate with the others. */
const TURN_MS = 5_000;
/** Most attempts at a receiver at once; a receiver that fails gets one. */
const WIDEST = 10;
const FIRST_WIDTH = 4;
/**
 * A receiver rests after this many failures in a row, or after one if it failed before. Attempts that fail
 * together count once: they may have one cause, which passes.
 */
const FAILURES_UNTIL_REST = 3;

/** Dependencies of a turn besides its receiver. */
interface TurnParts {
  readonly store: DeliveryStore;
  readonly sender: WebhookSender;
  readonly metrics: WebhookMetrics;
  /** Aborted when the service stops. */
  readonly stopping: AbortSignal;
}

/**
 * One turn of a receiver: its due deliveries, several at once, until it fails or others should have their
 * turn.
 */
export class DeliveryTurn {
  #width = FIRST_WIDTH;
  #failures = 0;
  #failuresInARow = 0;
  #endsAt = 0;
  #isGone = false;
  /** By the clock of `performance`, as all times here. */
  #succeededAt: number | null = null;
  #failedAt: number | null = null;
  /** When the last failure that counts ended. */
  #lastCountedAt = -Infinity;

  constructor(
    private readonly receiver: Receiver,
    private readonly parts: TurnParts,
  ) {}

  /**
   * True: the receiver may have more due deliveries. Throws PostgreSQL's errors; what was not recorded is
   * sent again.
   */
  async run(): Promise<boolean> {
    const { store } = this.parts;
    const due = await store.findDue(this.receiver.id, MOST_DELIVERIES);
    const waiting = [...due.deliveries];
    if (waiting.length === 0) return false;
    if (due.failures > 0) this.#width = 1;
    this.#failures = due.failures;
    this.#endsAt = performance.now() + TURN_MS;
    await this.deliverAll(waiting);
    if (this.#isGone) {
      await store.end(this.receiver);
      return false;
    }
    await this.noteHealth();
    return !this.hasFailed() && (waiting.length > 0 || due.deliveries.length === MOST_DELIVERIES);
  }

  /** Takes deliveries from the list as they begin. */
  private async deliverAll(waiting: DueDelivery[]): Promise<void> {
    const running = new Set<Promise<void>>();
    const begin = () => {
      while (running.size < this.#width && waiting.length > 0 && this.mayBegin()) {
        const attempt = this.deliver(waiting.shift()!).finally(() => running.delete(attempt));
        running.add(attempt);
      }
    };
    try {
      for (begin(); running.size > 0; begin()) await Promise.race(running);
    } finally {
      // After an error: the receiver's next turn must not begin beside these.
      await Promise.allSettled(running);
    }
  }

  private mayBegin(): boolean {
    const { stopping } = this.parts;
    return !this.hasFailed() && !stopping.aborted && performance.now() < this.#endsAt;
  }

  private hasFailed(): boolean {
    const most = this.#failures > 0 ? 1 : FAILURES_UNTIL_REST;
    return this.#isGone || this.#failuresInARow >= most;
  }

  private async deliver({ id, body, attempts }: DueDelivery): Promise<void> {
    const { sender, store, metrics } = this.parts;
    const begunAt = performance.now();
    const attempt = await sender.send(this.receiver, { id, body });
    const recorded = concludeAttempt(id, attempts + 1, attempt);
    await store.record(recorded);
    metrics.countAttempt(recorded);
    if (attempt.error === null) {
      this.#width = Math.min(this.#width + 1, WIDEST);
      this.#failures = this.#failuresInARow = 0;
      this.#succeededAt = performance.now();
    } else {
      this.#width = 1;
      if (begunAt >= this.#lastCountedAt) {
        this.#failuresInARow += 1;
        this.#lastCountedAt = performance.now();
      }
      this.#isGone ||= isGone(attempt);
      this.#failedAt = performance.now();
    }
  }

  private async noteHealth(): Promise<void> {
    const failures = this.#failures + this.#failuresInARow;
    await this.parts.store.noteHealth(this.receiver, {
      failures,
      restMs: this.hasFailed() ? restAfterFailures(failures) : 0,
      succeededMsAgo: msSince(this.#succeededAt),
      failedMsAgo: msSince(this.#failedAt),
    });
  }
}

function msSince(time: number | null): number | null {
  return time === null ? null : Math.round(performance.now() - time);
}

/** The consequence of an attempt, counted from 1, for its delivery. */
export function concludeAttempt(
  delivery: string,
  count: number,
  attempt: RecordedAttempt['attempt'],
): RecordedAttempt {
  if (attempt.error === null) return { delivery, attempt, status: 'delivered', pauseMs: 0 };
  const pauseMs = count < MOST_ATTEMPTS && !isGone(attempt) ? pauseAfterAttempt(count) : null;
  if (pauseMs === null) return { delivery, attempt, status: 'undelivered', pauseMs: 0 };
  return { delivery, attempt, status: 'waiting', pauseMs };
}
