import { type CallOrigin, JsonRpcCode, JsonRpcError, TokenBuckets } from '@forecourt/json-rpc';
import { FairQueue, type FairQueueLimits } from './fair-queue.js';
import type { NodeWork } from './node-work.js';

export interface NodeCallLimits extends FairQueueLimits {
  /** For one message, all calls of its batch together. */
  readonly perMessage: number;
  /** For one client in the long run. */
  readonly perSecond: number;
  readonly maxAnswerBytes: number;
}

/** Seconds of calls that a client may make at once after a pause. */
const BURST_SECONDS = 10;
/** A large answer counts for several calls: it costs the node, and more so this process, as much as they do. */
const BYTES_PER_CALL = 65_536;

/** A query that costs more calls to a node than one may. */
export class QueryTooExpensive extends JsonRpcError {
  constructor(message: string) {
    super(JsonRpcCode.callFailed, message);
  }
}

/** What is left of a message's node calls. */
export interface CallAllowance {
  left: number;
}

/** Work of clients at a node; `end` gives back what it holds. */
export interface ClientWork extends NodeWork {
  end(): void;
}

/** The calls that clients cause at the nodes: in turn, few at once, and no more for one client than it may have. */
export class NodeCalls {
  readonly #queue: FairQueue;
  readonly #buckets: TokenBuckets;
  readonly #allowances = new WeakMap<object, CallAllowance>();

  constructor(private readonly limits: NodeCallLimits) {
    const { perSecond, perMessage } = limits;
    this.#queue = new FairQueue(limits);
    this.#buckets = new TokenBuckets({
      capacity: Math.max(perMessage, BURST_SECONDS * perSecond),
      perSecond,
    });
  }

  /** Calls that wait for their turn. */
  get waiting(): number {
    return this.#queue.waiting;
  }

  /** Work for `origin`. Calls of the same `message` share an allowance. */
  begin(origin: CallOrigin, message: object): ClientWork {
    const allowance = this.allowanceOf(message);
    const releases = new Set<() => void>();
    return {
      maxAnswerBytes: this.limits.maxAnswerBytes,
      call: async (run) => {
        this.spend(allowance, origin.client);
        const { client, signal } = origin;
        try {
          return await this.#queue.run(client, signal, () => run(signal));
        } catch (cause) {
          if (!signal.aborted) throw cause;
          throw new JsonRpcError(JsonRpcCode.callFailed, 'The client is gone', undefined, {
            cause,
          });
        }
      },
      hold: (bytes) => {
        const release = origin.held.take(bytes);
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

  private allowanceOf(message: object): CallAllowance {
    let allowance = this.#allowances.get(message);
    if (allowance === undefined) {
      allowance = { left: this.limits.perMessage };
      this.#allowances.set(message, allowance);
    }
    return allowance;
  }

  private spend(allowance: CallAllowance, client: string): void {
    if (allowance.left <= 0) {
      throw new QueryTooExpensive(
        `The query needs more than ${this.limits.perMessage} calls to the node; ask for fewer events, a narrower criterion or a TimeRange, or send fewer queries in one batch`,
      );
    }
    const seconds = this.#buckets.take(client);
    if (seconds > 0) {
      throw new JsonRpcError(
        JsonRpcCode.tooManyRequests,
        `Too many requests: the queries of this client need too many calls to the node; try again in ${Math.ceil(seconds)} s`,
      );
    }
    allowance.left -= 1;
  }
}
