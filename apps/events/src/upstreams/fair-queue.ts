export interface FairQueueLimits {
  readonly atOnce: number;
  readonly perClient: number;
  /** How long a place stays empty after a task, as a share of the time that the task took; 0: not at all. */
  readonly restShare: number;
}

type Start = () => void;

interface ClientTasks {
  readonly waiting: Start[];
  running: number;
}

/** Runs the tasks of many clients, a few at once: clients take turns, so that many tasks of one delay no other. */
export class FairQueue {
  /** In the order of their turns. */
  readonly #clients = new Map<string, ClientTasks>();
  #running = 0;
  #waiting = 0;

  constructor(private readonly limits: FairQueueLimits) {}

  /** Tasks that wait for their turn. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Runs `task` when its turn has come. Throws the signal's reason when it aborts before that. */
  async run<T>(client: string, signal: AbortSignal, task: () => Promise<T>): Promise<T> {
    await this.turn(client, signal);
    const begun = performance.now();
    try {
      return await task();
    } finally {
      const restMs = (performance.now() - begun) * this.limits.restShare;
      if (restMs > 0) setTimeout(() => this.leave(client), restMs).unref();
      else this.leave(client);
    }
  }

  private async turn(client: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const tasks = this.tasksOf(client);
    const turn = Promise.withResolvers<void>();
    const onAbort = () => {
      turn.reject(signal.reason);
      this.forget(client, turn.resolve);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    tasks.waiting.push(turn.resolve);
    this.#waiting += 1;
    this.next();
    await turn.promise.finally(() => signal.removeEventListener('abort', onAbort));
  }

  private next(): void {
    const { atOnce, perClient } = this.limits;
    for (const [client, tasks] of this.#clients) {
      if (this.#running >= atOnce) return;
      if (tasks.waiting.length === 0 || tasks.running >= perClient) continue;
      // Behind all others: the map is in the order of the turns.
      this.#clients.delete(client);
      this.#clients.set(client, tasks);
      tasks.running += 1;
      this.#running += 1;
      this.#waiting -= 1;
      tasks.waiting.shift()!();
    }
  }

  private leave(client: string): void {
    const tasks = this.#clients.get(client)!;
    tasks.running -= 1;
    this.#running -= 1;
    this.forgetIdle(client, tasks);
    this.next();
  }

  private forget(client: string, start: Start): void {
    const tasks = this.#clients.get(client);
    const at = tasks?.waiting.indexOf(start) ?? -1;
    if (tasks === undefined || at === -1) return;
    tasks.waiting.splice(at, 1);
    this.#waiting -= 1;
    this.forgetIdle(client, tasks);
  }

  private forgetIdle(client: string, tasks: ClientTasks): void {
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
