import { Agent } from 'undici';
import { NodeFailure, NodeRefusal } from './node-errors.js';
import { postCall, type RpcCall } from './post-call.js';

/** One call to a node. `refused`: it answered with an error. */
export interface NodeCall {
  readonly method: string;
  readonly outcome: 'answered' | 'refused' | 'unreachable';
  readonly seconds: number;
}

/** A node has stopped responding (`reason` says how), or responds again (`reason` is null). */
export interface NodeChange {
  /** Host and port of its URL. */
  readonly node: string;
  readonly reason: string | null;
}

export interface NodeOptions {
  readonly url: string;
  /** Of every call. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Time limit of one call, in milliseconds. */
  readonly timeoutMs: number;
  /** Called after every call. */
  readonly onCall?: ((call: NodeCall) => void) | undefined;
  readonly onChange?: ((change: NodeChange) => void) | undefined;
}

const CONNECT_MS = 5_000;
const FIRST_REST_MS = 1_000;
const LONGEST_REST_MS = 30_000;

/** One node: its connections, and since when it has not been answering. */
export class LedgerNode {
  readonly host: string;
  private readonly dispatcher: Agent;
  private nextId = 1;
  private failures = 0;
  private restingUntil = 0;
  private limitedUntil = 0;

  constructor(private readonly options: NodeOptions) {
    this.host = new URL(options.url).host;
    const { timeoutMs } = options;
    this.dispatcher = new Agent({
      connect: { timeout: Math.min(timeoutMs, CONNECT_MS) },
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    });
  }

  /** It has failed lately: others are called first until this time (`performance.now()`); 0: it has not. */
  get avoidedUntil(): number {
    return Math.max(this.restingUntil, this.limitedUntil);
  }

  /** Milliseconds until its rate limit allows another call; 0: now. */
  get limitedMs(): number {
    return Math.max(0, this.limitedUntil - performance.now());
  }

  /** Returns the result of a call. Rejects with `NodeRefusal` or `NodeFailure`. */
  async call(call: RpcCall, timeoutMs = this.options.timeoutMs): Promise<unknown> {
    const { url, headers = {} } = this.options;
    const startedAt = performance.now();
    const report = (outcome: NodeCall['outcome']) => {
      const seconds = (performance.now() - startedAt) / 1_000;
      this.options.onCall?.({ method: call.method, outcome, seconds });
    };
    try {
      const post = { url, headers, dispatcher: this.dispatcher, timeoutMs };
      const result = await postCall(post, call, this.nextId++);
      report('answered');
      this.recover();
      return result;
    } catch (error) {
      report(error instanceof NodeRefusal ? 'refused' : 'unreachable');
      if (error instanceof NodeRefusal) this.recover();
      if (error instanceof NodeFailure && !call.signal?.aborted) this.noteFailure(error);
      throw error;
    }
  }

  /** Others are called first for a moment. */
  avoid(): void {
    this.restingUntil = performance.now() + FIRST_REST_MS;
  }

  private recover(): void {
    if (this.failures > 0) this.options.onChange?.({ node: this.host, reason: null });
    this.failures = 0;
    this.restingUntil = 0;
    this.limitedUntil = 0;
  }

  private noteFailure({ message, retryAfterMs }: NodeFailure): void {
    const now = performance.now();
    if (retryAfterMs !== undefined) {
      this.limitedUntil = now + retryAfterMs;
      return;
    }
    if (this.failures === 0) this.options.onChange?.({ node: this.host, reason: message });
    this.restingUntil = now + Math.min(FIRST_REST_MS * 2 ** this.failures, LONGEST_REST_MS);
    this.failures += 1;
  }
}
