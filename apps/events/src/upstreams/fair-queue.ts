import { TokenBuckets } from '@forecourt/resilience';

/** A client is light while its tasks run for less than this many milliseconds per second, after at most such a burst. */
const LIGHT_MS_PER_SECOND = 100;
const LIGHT_BURST_MS = 200;
/** A heavy client that stops asking is light again after 20 s at the latest. */
const MAX_DEBT_MS = 2_000;

export interface FairQueueLimits {
  /** Tasks that run at once. */
  readonly atOnce: number;
  readonly perClient: number;
  /** How long a slot stays empty after a task, as a multiple of the task's duration. */
  readonly rest: { readonly light: number; readonly heavy: number };
}

/** The position of a task among the waiting tasks of its client. */
export type TaskOrder = 'last' | 'first';

type Start = () => void;

interface ClientTasks {
  readonly waiting: Start[];
  running: number;
}

/**
 * Runs the tasks of many clients with limited concurrency. Clients take turns, so no client delays the others. The last free
 * slot is left to light clients, so that they do not wait for the tasks of heavy ones to end.
 */
export class FairQueue {
  /** In the order in which their turns come. */
  readonly #clients = new Map<string, ClientTasks>();
  /** Milliseconds for which tasks have run; a client whose bucket is empty is heavy. */
  readonly #runningTime = new TokenBuckets({
    capacity: LIGHT_BURST_MS,
    perSecond: LIGHT_MS_PER_SECOND,
    maxDebt: MAX_DEBT_MS,
  });
  #running = 0;
  #waiting = 0;

  constructor(private readonly limits: FairQueueLimits) {}

  /** Tasks that wait for their turn. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Runs `task` in its turn. Throws the task's errors, or the signal's reason if that aborts before. */
  async run<T>(
    client: string,
    signal: AbortSignal,
    task: () => Promise<T>,
    order: TaskOrder = 'last',
  ): Promise<T> {
    await this.waitForTurn(client, signal, order);
    const started = performance.now();
    try {
      return await task();
    } finally {
      const ranMs = performance.now() - started;
      this.#runningTime.charge(client, ranMs);
      const { light, heavy } = this.limits.rest;
      const restMs = ranMs * (this.#runningTime.isEmpty(client) ? heavy : light);
      if (restMs > 0) setTimeout(() => this.release(client), restMs).unref();
      else this.release(client);
    }
  }

  private async waitForTurn(client: string, signal: AbortSignal, order: TaskOrder): Promise<void> {
    signal.throwIfAborted();
    const tasks = this.getOrCreateTasks(client);
    const turn = Promise.withResolvers<void>();
    const onAbort = () => {
      turn.reject(signal.reason);
      this.cancel(client, turn.resolve);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    if (order === 'first') tasks.waiting.unshift(turn.resolve);
    else tasks.waiting.push(turn.resolve);
    this.#waiting += 1;
    this.startWaiting();
    await turn.promise.finally(() => signal.removeEventListener('abort', onAbort));
  }

  private startWaiting(): void {
    const { atOnce, perClient } = this.limits;
    const lastSlot = Math.max(1, atOnce - 1);
    for (const [client, tasks] of this.#clients) {
      if (this.#running >= atOnce) return;
      if (tasks.waiting.length === 0 || tasks.running >= perClient) continue;
      if (this.#running >= lastSlot && this.#runningTime.isEmpty(client)) continue;
      // To the end of the map, whose order is that of the turns.
      this.#clients.delete(client);
      this.#clients.set(client, tasks);
      tasks.running += 1;
      this.#running += 1;
      this.#waiting -= 1;
      tasks.waiting.shift()!();
    }
  }

  private release(client: string): void {
    const tasks = this.#clients.get(client)!;
    tasks.running -= 1;
    this.#running -= 1;
    this.removeIfIdle(client, tasks);
    this.startWaiting();
  }

  private cancel(client: string, start: Start): void {
    const tasks = this.#clients.get(client);
    const index = tasks?.waiting.indexOf(start) ?? -1;
    if (tasks === undefined || index === -1) return;
    tasks.waiting.splice(index, 1);
    this.#waiting -= 1;
    this.removeIfIdle(client, tasks);
  }

  private removeIfIdle(client: string, tasks: ClientTasks): void {
    if (tasks.running === 0 && tasks.waiting.length === 0) this.#clients.delete(client);
  }

  private getOrCreateTasks(client: string): ClientTasks {
    let tasks = this.#clients.get(client);
    if (tasks === undefined) {
      tasks = { waiting: [], running: 0 };
      this.#clients.set(client, tasks);
    }
    return tasks;
  }
}
