import type { NodeClient } from '../client/node-client.js';
import type { RemoteNode, RemoteNodeEvents, RemoteNodeOptions } from '../client/remote-node.js';
import { type ClientCall, clientThrough } from '../client/routed-client.js';
import { GrpcNode } from '../grpc/grpc-node.js';
import { JsonRpcNode } from '../json-rpc/json-rpc-node.js';
import { NodeFailure } from '../transport/node-failure.js';
import { NodeRefusal } from '../transport/node-refusal.js';
import type { ExpectedNetwork } from './expected-network.js';

/**
 * Outcome of one call to a node. `refused`: the node answered with an error; `invalid`: its answer cannot be
 * used.
 */
export interface NodeCall {
  readonly method: keyof NodeClient;
  readonly outcome: 'answered' | 'refused' | 'invalid' | 'unreachable';
  readonly seconds: number;
}

/** The time limit of a call includes the request for the network. */
export interface ConnectionOptions extends RemoteNodeOptions {
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
  readonly #node: RemoteNode;
  /** Number of times the connection was opened. */
  #made = 0;
  /** The network that the node named on this connection; null: not read since the connection was opened. */
  #chain: string | null = null;
  #isDoubted = false;

  constructor(private readonly options: ConnectionOptions) {
    this.#node = openNode(options, {
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
  async call<T>(call: ClientCall<T>, endsAt: number, confirmsRefusal = false): Promise<T> {
    const expected = await this.options.network.read();
    if (this.#chain === null || this.#chain !== expected) await this.identify(endsAt, call.signal);
    const made = this.#made;
    const [outcome] = await Promise.allSettled([this.post(call, endsAt)]);
    // The connection was lost and reopened for the call, so another node may have answered.
    const isReopened = this.#made !== made;
    const isRefused = outcome.status === 'rejected' && outcome.reason instanceof NodeRefusal;
    const isUncertain = isReopened || this.#isDoubted || (confirmsRefusal && isRefused);
    if (isUncertain && isAnswer(outcome)) await this.confirm(endsAt, call.signal);
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  }

  /**
   * Runs reads between two requests for the network, since an address can lead to another network behind a
   * connection that stays open. Each call has `timeoutMs`. Rejects as `call`, and as `reads`.
   */
  async confirmed<T>(reads: (node: NodeClient) => Promise<T>, timeoutMs: number): Promise<T> {
    const endsAt = () => performance.now() + timeoutMs;
    const node = clientThrough((call) => this.call(call, endsAt()));
    await this.readNetwork(endsAt());
    const result = await reads(node);
    await this.readNetwork(endsAt());
    return result;
  }

  /** Reads the network of the connected node, by `endsAt`; rejects as `call`. */
  async readNetwork(endsAt: number): Promise<string> {
    await this.options.network.read();
    return this.identify(endsAt);
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
    return this.#node.isShared;
  }

  close(): void {
    this.#node.close();
  }

  /** Reads the network of the connected node. Rejects with `NodeFailure` when it is not the required one. */
  private async identify(endsAt: number, signal?: AbortSignal): Promise<string> {
    const ask = (node: NodeClient) => node.getChainIdentifier();
    let chain: string;
    try {
      chain = await this.post({ method: 'getChainIdentifier', ask, signal }, endsAt);
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
  private async confirm(endsAt: number, signal?: AbortSignal): Promise<void> {
    try {
      await this.identify(endsAt, signal);
    } catch (error) {
      if (!(error instanceof NodeFailure)) throw error;
      const { message, isForeign, isInvalid, isUnidentified, cause } = error;
      const details = { isForeign, isInvalid, isUnidentified, cause };
      throw new NodeFailure(message, { mayBeProcessed: true, ...details });
    }
  }

  private async post<T>(call: ClientCall<T>, endsAt: number): Promise<T> {
    const { onCall } = this.options;
    const startedAt = performance.now();
    const report = (outcome: NodeCall['outcome']) => {
      const seconds = (performance.now() - startedAt) / 1_000;
      onCall?.({ method: call.method, outcome, seconds });
    };
    const timeoutMs = Math.max(1, Math.ceil(endsAt - startedAt));
    try {
      const result = await this.#node.run(call, timeoutMs);
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

function openNode(options: RemoteNodeOptions, events: RemoteNodeEvents): RemoteNode {
  const isGrpc = /^grpcs?:/.test(options.url);
  return isGrpc ? new GrpcNode(options, events) : new JsonRpcNode(options, events);
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
