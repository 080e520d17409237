import { widestGroupOf } from '@forecourt/admission';
import { JsonRpcCode, JsonRpcError } from '@forecourt/contracts';
import type { CallOrigin } from '@forecourt/json-rpc';
import { TokenBuckets } from '@forecourt/resilience';

/** The node calls for one request or for the service itself, and their limits. */
export interface NodeSession {
  /**
   * Runs one call in its turn. `signal` aborts if the response is no longer needed; it is null for a caller
   * that never disconnects.
   */
  call<T>(run: (signal: AbortSignal | null) => Promise<T>): Promise<T>;
  /** Runs a read of the index in its turn; the time it takes counts, also if the client leaves meanwhile. */
  readIndex<T>(read: () => Promise<T>): Promise<T>;
  /** Counts memory in use until the returned function is called or the session ends. */
  addMemory(bytes: number): () => void;
  /** Charges the client for the size of a response. */
  charge(bytes: number): void;
  /** Larger responses of the node are not read. */
  readonly maxResponseBytes: number;
}

/** For the event stream and the health probes: unlimited. */
export const SERVICE_SESSION: NodeSession = {
  call: (run) => run(null),
  readIndex: (read) => read(),
  addMemory: () => () => undefined,
  charge: () => undefined,
  maxResponseBytes: Infinity,
};

interface NodeCallLimits extends FairQueueLimits {
  /** For one message, all calls of its batch together. */
  readonly perMessage: number;
  /** For one client in the long run. */
  readonly perSecond: number;
  readonly maxResponseBytes: number;
  /** Of reads of the index, which have a separate queue. */
  readonly indexReads: FairQueueLimits;
}

/** Seconds' worth of calls that a client may make in a burst. */
const BURST_SECONDS = 10;
/** A large response counts as several calls, because it costs the node and this process as much. */
const BYTES_PER_CALL = 65_536;

/** A query exceeded the number of node calls that one message may cause. */
export class QueryTooExpensive extends JsonRpcError {
  constructor(message: string) {
    super(JsonRpcCode.callFailed, message);
  }
}

/** The node calls of one client request; `end` releases the memory it counts. */
interface ClientSession extends NodeSession {
  end(): void;
}

/**
 * The node calls and the reads of the index that clients cause: queued fairly and limited in concurrency;
 * node calls also for each client and message.
 */
export class NodeCalls {
  readonly #queue: FairQueue;
  readonly #indexReads: FairQueue;
  readonly #buckets: TokenBuckets;
  readonly #callsLeft = new WeakMap<object, number>();

  constructor(private readonly limits: NodeCallLimits) {
    const { perSecond, perMessage } = limits;
    this.#queue = new FairQueue(limits);
    this.#indexReads = new FairQueue(limits.indexReads);
    this.#buckets = new TokenBuckets({
      capacity: Math.max(perMessage, BURST_SECONDS * perSecond),
      perSecond,
    });
  }

  /** Calls that wait for their turn. */
  get waiting(): number {
    return this.#queue.waiting;
  }

  /** Sessions of the same `message` share its limit of calls. */
  openSession(origin: CallOrigin, message: object): ClientSession {
    const releases = new Set<() => void>();
    const inTurn = turnsOf(this.#queue, origin.client, origin.signal);
    const inIndexTurn = turnsOf(this.#indexReads, widestGroupOf(origin.client), origin.signal);
    return {
      maxResponseBytes: this.limits.maxResponseBytes,
      call: async (run) => {
        this.spend(message, origin.client);
        return inTurn(() => run(origin.signal));
      },
      readIndex: inIndexTurn,
      addMemory: (bytes) => {
        const release = origin.memory.add(bytes);
        releases.add(release);
        return () => {
          releases.delete(release);
          release();
        };
      },
      charge: (bytes) => this.#buckets.charge(origin.client, bytes / BYTES_PER_CALL),
      end: () => {
        for (const release of releases) release();
      },
    };
  }

  /**
   * Charges a client for an answer that needs no node, by its size like the response to a node call. Throws
   * -32009 when the client has used up its calls.
   */
  chargeAnswer(client: string, bytes: number): void {
    if (this.#buckets.isEmpty(client)) throw tooManyCalls(1);
    this.#buckets.charge(client, bytes / BYTES_PER_CALL);
  }

  private spend(message: object, client: string): void {
    const left = this.#callsLeft.get(message) ?? this.limits.perMessage;
    if (left <= 0) {
      throw new QueryTooExpensive(
        `Query needs more than ${this.limits.perMessage} calls to the ledger node; request fewer events, use a narrower criterion or a TimeRange, or send fewer queries in one batch`,
      );
    }
    const seconds = this.#buckets.take(client);
    if (seconds > 0) throw tooManyCalls(Math.ceil(seconds));
    this.#callsLeft.set(message, left - 1);
  }
}

/**
 * Runs the tasks of one session in their turns. Begun work has priority: a client that requests many pages
 * holds the parts of only a few.
 */
function turnsOf(queue: FairQueue, client: string, signal: AbortSignal) {
  let order: TaskOrder = 'last';
  return async <T>(task: () => Promise<T>): Promise<T> => {
    const turn = order;
    order = 'first';
    try {
      return await queue.run(client, signal, task, turn);
    } catch (cause) {
      if (!signal.aborted) throw cause;
      throw new JsonRpcError(JsonRpcCode.callFailed, 'Client disconnected', undefined, { cause });
    }
  };
}

function tooManyCalls(retryAfterSecs: number): JsonRpcError {
  return new JsonRpcError(
    JsonRpcCode.tooManyRequests,
    `Too many requests: queries of this client need too many ledger node calls; retry in ${retryAfterSecs} s`,
  );
}

/**
 * A client is light while its tasks run for less than this many milliseconds per second, after at most such a
 * burst.
 */
const LIGHT_MS_PER_SECOND = 100;
const LIGHT_BURST_MS = 200;
/** A heavy client that stops asking is light again after 20 s at the latest. */
const MAX_DEBT_MS = 2_000;

interface FairQueueLimits {
  /** Tasks that run at once. */
  readonly atOnce: number;
  readonly perClient: number;
  /** How long a slot stays empty after a task, as a multiple of the task's duration. */
  readonly rest: { readonly light: number; readonly heavy: number };
}

/** The position of a task among the waiting tasks of its client. */
type TaskOrder = 'last' | 'first';

type Start = () => void;

interface ClientTasks {
  readonly waiting: Start[];
  running: number;
}

/**
 * Runs the tasks of many clients with limited concurrency. Clients take turns, so no client delays the
 * others. The last free slot is left to light clients, so that they do not wait for the tasks of heavy ones
 * to end.
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
