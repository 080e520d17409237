import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from 'undici';
import type {
  NodeClient,
  ShownPart,
  ShownTransaction,
  SystemState,
} from '../client/node-client.js';
import { type ClientCall, RoutedClient } from '../client/routed-client.js';
import type { TransactionEffects } from '../../executed-transaction.js';
import { listGasCoins } from '../coins/gas-coins.js';
import { GrpcChannel } from '../grpc/grpc-channel.js';
import type { FullCheckpoint } from '../grpc/grpc-checkpoints.js';
import { GrpcNode } from '../grpc/grpc-node.js';
import { createJsonRpcClient } from '../json-rpc/create-json-rpc-client.js';
import { postCall, type RpcCall } from '../json-rpc/post-call.js';
import { NodeFailure } from '../transport/node-failure.js';
import { NodeRefusal } from '../transport/node-refusal.js';

export interface NodeAddress {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The parts of a transaction that the events service reads. */
export const PARTS: readonly ShownPart[] = ['input', 'effects', 'events', 'objectChanges'];
type ExecutedTransaction = ShownTransaction<TransactionEffects>;

/** Of one call. */
const TIMEOUT_MS = 10_000;
/** Longest wait for a node that limits calls. */
const LONGEST_LIMIT_MS = 5_000;
export const NO_METHOD = -32_601;

/** Calls one node over the interface that its URL names, over gRPC with the messages of the services. */
export class ExaminedNode extends RoutedClient {
  readonly isGrpc: boolean;
  calls = 0;
  /** Number of answers that reported a rate limit. */
  limitedCalls = 0;
  /** For calls over gRPC that the services do not make. */
  readonly channel: GrpcChannel;
  readonly #grpc: GrpcNode;
  readonly #dispatcher = new Agent({ connect: { timeout: TIMEOUT_MS } });
  #state: Promise<SystemState | null> | undefined;
  #newestTransaction: Promise<ExecutedTransaction | null> | undefined;

  constructor(
    readonly address: NodeAddress,
    /** Normalized addresses. */
    readonly sponsors: readonly string[],
  ) {
    super();
    this.isGrpc = address.url.startsWith('grpc');
    this.channel = new GrpcChannel(address);
    this.#grpc = new GrpcNode(address);
  }

  override send<T>(call: ClientCall<T>, headers = this.address.headers): Promise<T> {
    return this.counted(() => this.carry(call, headers));
  }

  /** The network that it names to callers with these headers. */
  chain(headers: NodeAddress['headers']): Promise<string> {
    const ask = (node: NodeClient) => node.getChainIdentifier();
    return this.send({ method: 'getChainIdentifier', ask }, headers);
  }

  /** Null: the node does not show it. */
  systemState(): Promise<SystemState | null> {
    return (this.#state ??= this.getSystemState().catch(() => null));
  }

  /** Null: the ledger has none. */
  newestTransaction(): Promise<ExecutedTransaction | null> {
    return (this.#newestTransaction ??= this.findNewestTransaction());
  }

  /** The checkpoints from this number on, as the events service reads them over gRPC. */
  stream(first: number, parts: readonly ShownPart[]): AsyncIterable<FullCheckpoint> {
    return this.#grpc.streamCheckpoints(first, parts, AbortSignal.timeout(TIMEOUT_MS));
  }

  /** Number and sum of an owner's gas coins. Nodes list coins over gRPC, and tell no balance. */
  async balance(owner: string): Promise<{ readonly coins: number; readonly sum: bigint }> {
    if (!this.isGrpc) {
      const { coinObjectCount, totalBalance } = await this.ask<{
        readonly coinObjectCount: number;
        readonly totalBalance: string;
      }>('iotax_getBalance', [owner]);
      return { coins: coinObjectCount, sum: BigInt(totalBalance) };
    }
    const confirmed = <T>(reads: (node: NodeClient) => Promise<T>) => reads(this);
    const balances = new Map<string, bigint>();
    for await (const page of listGasCoins({ confirmed }, owner)) {
      for (const { objectId, balance } of page) balances.set(objectId, balance);
    }
    return { coins: balances.size, sum: [...balances.values()].reduce((a, b) => a + b, 0n) };
  }

  /**
   * Whether it has a method of JSON-RPC. It refuses a call without parameters and an unknown method
   * differently.
   */
  async has(method: string): Promise<boolean> {
    try {
      await this.ask(method);
      return true;
    } catch (error) {
      return error instanceof NodeRefusal && error.code !== NO_METHOD;
    }
  }

  /** A call over JSON-RPC that the services do not make. Rejects with `NodeRefusal` or `NodeFailure`. */
  async ask<T>(method: string, params: readonly unknown[] = []): Promise<T> {
    return (await this.counted(() => this.post({ method, params }))) as T;
  }

  /** For calls through `channel`. */
  get endsAt(): number {
    return performance.now() + TIMEOUT_MS;
  }

  async close(): Promise<void> {
    this.channel.close();
    this.#grpc.close();
    await this.#dispatcher.close();
  }

  /** The last transaction is in the first checkpoint that has the total of the newest one. */
  private async findNewestTransaction(): Promise<ExecutedTransaction | null> {
    const newest = await this.getLatestCheckpoint();
    let found = await this.getCheckpoint(newest);
    const { networkTotalTransactions: total } = found;
    let [below, above] = [-1, newest];
    while (found.transactions.length === 0 && above - below > 1) {
      const middle = Math.floor((below + above) / 2);
      // The node may have pruned it.
      const checkpoint = await this.getCheckpoint(middle).catch(() => null);
      if (checkpoint?.networkTotalTransactions !== total) below = middle;
      else [found, above] = [checkpoint, middle];
    }
    // The last one of a checkpoint is not the system's own.
    const digest = found.transactions.at(-1);
    return digest === undefined ? null : this.getTransaction(digest, [...PARTS, 'balanceChanges']);
  }

  /** Repeats a call that the node's rate limit refuses. */
  private async counted<T>(run: () => Promise<T>): Promise<T> {
    this.calls += 1;
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof NodeFailure)) throw error;
      const { retryAfterMs, message } = error;
      if (retryAfterMs !== undefined || message.startsWith('RESOURCE_EXHAUSTED')) {
        this.limitedCalls += 1;
      }
      if (retryAfterMs === undefined) throw error;
      await sleep(Math.min(retryAfterMs, LONGEST_LIMIT_MS));
      return run();
    }
  }

  private async carry<T>(call: ClientCall<T>, headers: NodeAddress['headers']): Promise<T> {
    if (!this.isGrpc) return call.ask(createJsonRpcClient((one) => this.post(one, headers)));
    if (headers === this.address.headers) return this.#grpc.run(call, TIMEOUT_MS);
    const other = new GrpcNode({ url: this.address.url, headers });
    try {
      return await other.run(call, TIMEOUT_MS);
    } finally {
      other.close();
    }
  }

  private post(call: RpcCall, headers = this.address.headers): Promise<unknown> {
    const { url } = this.address;
    const options = { url, headers, dispatcher: this.#dispatcher, timeoutMs: TIMEOUT_MS };
    return postCall(options, call, this.calls);
  }
}
