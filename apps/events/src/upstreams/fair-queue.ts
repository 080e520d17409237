export interface FairQueueLimits {
  /** Tasks that run at once. */
  readonly atOnce: number;
  readonly perClient: number;
  /** How long a slot stays empty after a task, as a share of the task's duration. */
  readonly restShare: number;
}

type Start = () => void;

interface ClientTasks {
  readonly waiting: Start[];
  running: number;
}

/** Runs the tasks of many clients with limited concurrency. Clients take turns, so no client delays the others. */
export class FairQueue {
  /** In the order in which their turns come. */
  readonly #clients = new Map<string, ClientTasks>();
  #running = 0;
  #waiting = 0;

  constructor(private readonly limits: FairQueueLimits) {}

  /** Tasks that wait for their turn. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Runs `task` when its turn has come. Throws what it throws, or the signal's reason when that aborts before. */
  async run<T>(client: string, signal: AbortSignal, task: () => Promise<T>): Promise<T> {
    await this.waitForTurn(client, signal);
    const started = performance.now();
    try {
      return await task();
    } finally {
      const restMs = (performance.now() - started) * this.limits.restShare;
      if (restMs > 0) setTimeout(() => this.release(client), restMs).unref();
      else this.release(client);
    }
  }

  private async waitForTurn(client: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const tasks = this.tasksOf(client);
    const turn = Promise.withResolvers<void>();
    const onAbort = () => {
      turn.reject(signal.reason);
      this.cancel(client, turn.resolve);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    tasks.waiting.push(turn.resolve);
    this.#waiting += 1;
    this.startWaiting();
    await turn.promise.finally(() => signal.removeEventListener('abort', onAbort));
  }

  private startWaiting(): void {
    const { atOnce, perClient } = this.limits;
    for (const [client, tasks] of this.#clients) {
      if (this.#running >= atOnce) return;
      if (tasks.waiting.length === 0 || tasks.running >= perClient) continue;
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
    const at = tasks?.waiting.indexOf(start) ?? -1;
    if (tasks === undefined || at === -1) return;
    tasks.waiting.splice(at, 1);
    this.#waiting -= 1;
    this.removeIfIdle(client, tasks);
  }

  private removeIfIdle(client: string, tasks: ClientTasks): void {
    if (tasks.running === 0 && tasks.waiting.length === 0) this.#clients.delete(client);
  }

  private tasksOf(client: string): ClientTasks {
    let tasks = this.#clients.get(client);
    if (tasks === undefined) {
      tasks = { waiting: [], running: 0 };
      this.#clients.set(client, tasks);
    }
    return tasks;
  }
}
