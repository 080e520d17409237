import { widestGroupOf } from '@forecourt/admission';
import { JsonRpcCode, JsonRpcError } from '@forecourt/contracts';
import type { CallOrigin } from '@forecourt/json-rpc';
import { type BulkheadOptions, FairBulkhead, TokenBuckets } from '@forecourt/resilience';
import { QueryTooExpensive } from './query-too-expensive.js';

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

/** Clients take turns, so none delays the others. */
interface QueueLimits extends Required<Pick<BulkheadOptions, 'perClient' | 'rest'>> {
  readonly atOnce: number;
}

interface NodeCallLimits extends QueueLimits {
  /** For one message, all calls of its batch together. */
  readonly perMessage: number;
  /** For one client in the long run. */
  readonly perSecond: number;
  readonly maxResponseBytes: number;
  /** Of reads of the index, which have a separate queue. */
  readonly indexReads: QueueLimits;
}

/** Seconds' worth of calls that a client may make in a burst. */
const BURST_SECONDS = 10;
/** A large response counts as several calls, because it costs the node and this process as much. */
const BYTES_PER_CALL = 65_536;

/** The node calls of one client request; `end` releases the memory it counts. */
interface ClientSession extends NodeSession {
  end(): void;
}

/**
 * The node calls and the reads of the index that clients cause: queued fairly and limited in concurrency;
 * node calls also for each client and message.
 */
export class NodeCalls {
  readonly #queue: FairBulkhead;
  readonly #indexReads: FairBulkhead;
  readonly #buckets: TokenBuckets;
  readonly #callsLeft = new WeakMap<object, number>();

  constructor(private readonly limits: NodeCallLimits) {
    const { perSecond, perMessage } = limits;
    this.#queue = openQueue(limits);
    this.#indexReads = openQueue(limits.indexReads);
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

function openQueue({ atOnce, perClient, rest }: QueueLimits): FairBulkhead {
  return new FairBulkhead(atOnce, { waiting: Infinity, share: 1, perClient, rest });
}

/**
 * Runs the tasks of one session in their turns. Begun work has priority: a client that requests many pages
 * holds the parts of only a few.
 */
function turnsOf(queue: FairBulkhead, client: string, signal: AbortSignal) {
  let hasBegun = false;
  return async <T>(task: () => Promise<T>): Promise<T> => {
    const isNext = hasBegun;
    hasBegun = true;
    try {
      return await queue.run([client], task, { signal, isNext });
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
