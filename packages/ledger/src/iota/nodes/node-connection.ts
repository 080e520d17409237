import { checkAnswer } from '../answers/check-answer.js';
import { NodeAnswer } from '../answers/node-answer.js';
import { GrpcTransport } from '../grpc/grpc-transport.js';
import {
  type CallSender,
  IDENTIFY,
  type NodeTransport,
  type RpcCall,
  type TransportEvents,
} from '../transport/node-transport.js';
import { JsonRpcTransport } from '../transport/json-rpc-transport.js';
import { NodeFailure } from '../transport/node-failure.js';
import { NodeRefusal } from '../transport/node-refusal.js';
import type { ExpectedNetwork } from './expected-network.js';

/**
 * Outcome of one call to a node. `refused`: the node answered with an error; `invalid`: its answer cannot be
 * used.
 */
export interface NodeCall {
  readonly method: string;
  readonly outcome: 'answered' | 'refused' | 'invalid' | 'unreachable';
  readonly seconds: number;
}

export interface ConnectionOptions {
  readonly url: string;
  /** Sent with every call. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Time limit of one call, in milliseconds; includes the request for the network. */
  readonly timeoutMs: number;
  /** The network that the node must be on. */
  readonly network: ExpectedNetwork;
  /** Called after every call. */
  readonly onCall?: ((call: NodeCall) => void) | undefined;
}

/**
 * One connection to a node, for one call at a time unless it is shared; reopened after a loss. Each
 * connection to an address may reach another node: the network is checked on every connection, and no answer
 * counts before that.
 */
export class NodeConnection {
  readonly #transport: NodeTransport;
  /** Number of times the connection was opened. */
  #made = 0;
  /** The network that the node named on this connection; null: not read since the connection was opened. */
  #chain: string | null = null;
  #isDoubted = false;

  constructor(private readonly options: ConnectionOptions) {
    this.#transport = openTransport(options, {
      onConnect: () => {
        this.#made += 1;
        this.#chain = null;
      },
      onDisconnect: () => {
        this.#chain = null;
      },
    });
  }

  /**
   * Returns the result of a call that must end by `endsAt` (`performance.now()`). With `confirmsRefusal`, the
   * error of a node counts only if the node is on the required network after it as well. Rejects with
   * `NodeRefusal` or `NodeFailure`, or with the error of `ExpectedNetwork.read`.
   */
  async call(call: RpcCall, endsAt: number, confirmsRefusal = false): Promise<unknown> {
    const expected = await this.options.network.read();
    if (call.method === IDENTIFY) return this.identify(call, endsAt);
    if (this.#chain === null || this.#chain !== expected) {
      await this.identify(call, endsAt);
    }
    const made = this.#made;
    const [outcome] = await Promise.allSettled([this.post(call, endsAt)]);
    // The connection was lost and reopened for the call, so another node may have answered.
    const isReopened = this.#made !== made;
    const isRefused = outcome.status === 'rejected' && outcome.reason instanceof NodeRefusal;
    const isUncertain = isReopened || this.#isDoubted || (confirmsRefusal && isRefused);
    if (isUncertain && isAnswer(outcome)) await this.confirm(call, endsAt);
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  }

  /**
   * Runs reads between two requests for the network, since an address can lead to another network behind a
   * connection that stays open. Each call has `timeoutMs`. Rejects as `call`, and as `reads`.
   */
  async confirmed<T>(reads: (node: CallSender) => Promise<T>, timeoutMs: number): Promise<T> {
    const send = (call: RpcCall) => this.call(call, performance.now() + timeoutMs);
    const identify: RpcCall = { method: IDENTIFY, params: [] };
    await send(identify);
    const result = await reads({ send });
    await send(identify);
    return result;
  }

  /**
   * Another connection to the address has led to another network: the answers to open calls must be
   * confirmed.
   */
  doubt(): void {
    this.#isDoubted = true;
  }

  /** Whether it carries several calls at once. */
  get isShared(): boolean {
    return this.#transport.isShared;
  }

  close(): void {
    this.#transport.close();
  }

  /** Reads the network of the connected node. Rejects with `NodeFailure` when it is not the required one. */
  private async identify({ signal }: RpcCall, endsAt: number): Promise<string> {
    const call: RpcCall = { method: IDENTIFY, params: [], signal };
    let chain: string;
    try {
      chain = new NodeAnswer(IDENTIFY, await this.post(call, endsAt)).text();
    } catch (error) {
      if (!(error instanceof NodeRefusal)) throw unsent(error);
      throw new NodeFailure(`it does not name its network: ${error.message}`, {
        mayBeProcessed: false,
        isInvalid: true,
        isUnidentified: true,
        cause: error,
      });
    }
    this.#chain = chain;
    const expected = this.options.network.compare(chain);
    if (chain === expected) return chain;
    const reason = `it is on network ${chain}, not ${expected}`;
    throw new NodeFailure(reason, { mayBeProcessed: false, isForeign: true });
  }

  /** Called after an answer that may come from another network. */
  private async confirm(call: RpcCall, endsAt: number): Promise<void> {
    try {
      await this.identify(call, endsAt);
    } catch (error) {
      if (!(error instanceof NodeFailure)) throw error;
      const { message, isForeign, isInvalid, isUnidentified, cause } = error;
      const details = { isForeign, isInvalid, isUnidentified, cause };
      throw new NodeFailure(message, { mayBeProcessed: true, ...details });
    }
  }

  private async post(call: RpcCall, endsAt: number): Promise<unknown> {
    const { onCall } = this.options;
    const startedAt = performance.now();
    const report = (outcome: NodeCall['outcome']) => {
      const seconds = (performance.now() - startedAt) / 1_000;
      onCall?.({ method: call.method, outcome, seconds });
    };
    const timeoutMs = Math.max(1, Math.ceil(endsAt - startedAt));
    try {
      const result = await this.#transport.call(call, timeoutMs);
      checkAnswer(call, result);
      report('answered');
      return result;
    } catch (error) {
      const outcome = outcomeOf(error);
      report(outcome);
      // Something else than a node may answer by now.
      if (outcome === 'invalid') this.#chain = null;
      throw error;
    }
  }
}

function outcomeOf(error: unknown): NodeCall['outcome'] {
  if (error instanceof NodeRefusal) return 'refused';
  return error instanceof NodeFailure && error.isInvalid ? 'invalid' : 'unreachable';
}

function openTransport(options: ConnectionOptions, events: TransportEvents): NodeTransport {
  const isGrpc = /^grpcs?:/.test(options.url);
  return isGrpc ? new GrpcTransport(options, events) : new JsonRpcTransport(options, events);
}

/** Whether the server answered, if only with an HTTP status that is not a success. */
function isAnswer(outcome: PromiseSettledResult<unknown>): boolean {
  if (outcome.status === 'fulfilled') return true;
  const reason: unknown = outcome.reason;
  return !(reason instanceof NodeFailure) || (reason.status ?? 0) > 299;
}

/** Only the request for the network was sent, so the node cannot have processed the call itself. */
function unsent(error: unknown): unknown {
  if (!(error instanceof NodeFailure)) return error;
  const { message, retryAfterMs, response, isInvalid, cause } = error;
  const details = { retryAfterMs, response, isInvalid, isUnidentified: true, cause };
  return new NodeFailure(message, { mayBeProcessed: false, ...details });
}
