import { Client } from 'undici';
import type { ExpectedNetwork } from './expected-network.js';
import { NodeAnswer } from './node-answer.js';
import { NodeFailure, NodeRefusal } from './node-errors.js';
import { postCall, type RpcCall } from './post-call.js';

/** One call to a node. `refused`: it answered with an error. */
export interface NodeCall {
  readonly method: string;
  readonly outcome: 'answered' | 'refused' | 'unreachable';
  readonly seconds: number;
}

export interface ConnectionOptions {
  readonly url: string;
  /** Of every call. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Time limit of one call, in milliseconds; a question for the network is part of it. */
  readonly timeoutMs: number;
  /** Which the node must be on. */
  readonly network: ExpectedNetwork;
  /** Called after every call. */
  readonly onCall?: ((call: NodeCall) => void) | undefined;
}

const IDENTIFY = 'iota_getChainIdentifier';
const CONNECT_MS = 5_000;

/**
 * One connection to a node, for one call at a time; made anew where it was lost. What answers behind an address can change
 * with every connection: each time the node is asked for its network, and no answer counts before.
 */
export class NodeConnection {
  private readonly client: Client;
  /** How many times it was made. */
  private made = 0;
  /** The network that the node named on this connection; null: it was not asked since the connection was made. */
  private chain: string | null = null;
  private nextId = 1;

  constructor(private readonly options: ConnectionOptions) {
    const { url, timeoutMs } = options;
    this.client = new Client(new URL(url).origin, {
      connect: { timeout: Math.min(timeoutMs, CONNECT_MS) },
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    });
    this.client.on('connect', () => {
      this.made += 1;
      this.chain = null;
    });
    this.client.on('disconnect', () => {
      this.chain = null;
    });
  }

  /**
   * Returns the result of a call that must end by then (`performance.now()`). Rejects with `NodeRefusal` or `NodeFailure`,
   * and as `ExpectedNetwork.read` does.
   */
  async call(call: RpcCall, endsAt: number): Promise<unknown> {
    const expected = await this.options.network.read();
    if (call.method === IDENTIFY) return this.identify(call, endsAt);
    if (this.chain === null || this.chain !== expected) {
      await this.identify(call, endsAt);
    }
    const { made } = this;
    const [outcome] = await Promise.allSettled([this.post(call, endsAt)]);
    // The connection was lost meanwhile, and made again for the call: something else may have answered.
    const isConfirmed = this.made === made || !isAnswer(outcome);
    if (!isConfirmed) await this.confirm(call, endsAt);
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  }

  close(): void {
    void this.client.close();
  }

  /** Asks which network answers on the connection. Rejects with `NodeFailure` where it is not the one it must be. */
  private async identify({ signal }: RpcCall, endsAt: number): Promise<string> {
    const call: RpcCall = { method: IDENTIFY, params: [], signal };
    let chain: string;
    try {
      chain = new NodeAnswer(IDENTIFY, await this.post(call, endsAt)).text();
    } catch (error) {
      if (!(error instanceof NodeRefusal)) throw unsent(error);
      throw new NodeFailure(`it does not name its network: ${error.message}`, {
        mayBeProcessed: false,
        cause: error,
      });
    }
    this.chain = chain;
    const expected = this.options.network.compare(chain);
    if (chain === expected) return chain;
    const reason = `it is on network ${chain}, not ${expected}`;
    throw new NodeFailure(reason, { mayBeProcessed: false, isForeign: true });
  }

  /** After an answer on a new connection. */
  private async confirm(call: RpcCall, endsAt: number): Promise<void> {
    try {
      await this.identify(call, endsAt);
    } catch (error) {
      if (!(error instanceof NodeFailure)) throw error;
      const { message, isForeign, cause } = error;
      throw new NodeFailure(message, { mayBeProcessed: true, isForeign, cause });
    }
  }

  private async post(call: RpcCall, endsAt: number): Promise<unknown> {
    const { url, headers = {}, onCall } = this.options;
    const startedAt = performance.now();
    const report = (outcome: NodeCall['outcome']) => {
      const seconds = (performance.now() - startedAt) / 1_000;
      onCall?.({ method: call.method, outcome, seconds });
    };
    const timeoutMs = Math.max(1, Math.ceil(endsAt - startedAt));
    try {
      const post = { url, headers, dispatcher: this.client, timeoutMs };
      const result = await postCall(post, call, this.nextId++);
      report('answered');
      return result;
    } catch (error) {
      report(error instanceof NodeRefusal ? 'refused' : 'unreachable');
      throw error;
    }
  }
}

/** Whether something answered, be it with a status of HTTP only. */
function isAnswer(outcome: PromiseSettledResult<unknown>): boolean {
  if (outcome.status === 'fulfilled') return true;
  const reason: unknown = outcome.reason;
  return !(reason instanceof NodeFailure) || reason.status !== undefined;
}

/** Only the question for the network was sent: the call itself cannot have been processed. */
function unsent(error: unknown): unknown {
  if (!(error instanceof NodeFailure) || !error.mayBeProcessed) return error;
  const { message, retryAfterMs, status, cause } = error;
  return new NodeFailure(message, { mayBeProcessed: false, retryAfterMs, status, cause });
}
