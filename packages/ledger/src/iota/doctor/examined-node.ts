import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from 'undici';
import { checkAnswer } from '../answers/check-answer.js';
import { listGasCoins } from '../coins/gas-coins.js';
import { GrpcChannel } from '../grpc/grpc-channel.js';
import type { FullCheckpoint } from '../grpc/grpc-checkpoints.js';
import type { ShowOptions } from '../grpc/grpc-transactions.js';
import { GrpcTransport } from '../grpc/grpc-transport.js';
import { NodeFailure } from '../transport/node-failure.js';
import { NodeRefusal } from '../transport/node-refusal.js';
import type { CallSender, RpcCall } from '../transport/node-transport.js';
import { postCall } from '../transport/post-call.js';

export interface NodeAddress {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface SystemState {
  readonly epoch: string;
  readonly protocolVersion: string;
  readonly referenceGasPrice: string;
  readonly epochStartTimestampMs: string;
  readonly epochDurationMs: string;
  readonly safeMode?: boolean;
}

export interface Checkpoint {
  readonly sequenceNumber: string;
  readonly timestampMs: string;
  readonly networkTotalTransactions: string;
  readonly transactions: readonly string[];
}

export interface ShownTransaction {
  readonly objectChanges?: unknown;
  readonly errors?: readonly string[];
  readonly effects?: {
    readonly modifiedAtVersions?: readonly {
      readonly objectId: string;
      readonly sequenceNumber: string;
    }[];
  };
}

/** The parts of a transaction that the events service reads. */
export const PARTS = {
  showInput: true,
  showEffects: true,
  showEvents: true,
  showObjectChanges: true,
};

/** Of one call. */
const TIMEOUT_MS = 10_000;
/** Longest wait for a node that limits calls. */
const LONGEST_LIMIT_MS = 5_000;
export const NO_METHOD = -32_601;

/** Calls one node over the interface that its URL names, over gRPC with the messages of the services. */
export class ExaminedNode {
  readonly isGrpc: boolean;
  calls = 0;
  /** Number of answers that reported a rate limit. */
  limitedCalls = 0;
  /** For calls over gRPC that the services do not make. */
  readonly channel: GrpcChannel;
  readonly #transport: GrpcTransport;
  readonly #dispatcher = new Agent({ connect: { timeout: TIMEOUT_MS } });
  #state: Promise<SystemState | null> | undefined;
  #newestTransaction: Promise<ShownTransaction | null> | undefined;

  constructor(
    readonly address: NodeAddress,
    /** Normalized addresses. */
    readonly sponsors: readonly string[],
  ) {
    this.isGrpc = address.url.startsWith('grpc');
    this.channel = new GrpcChannel(address);
    this.#transport = new GrpcTransport(address);
  }

  /** `headers`: instead of the node's. */
  chain(headers = this.address.headers): Promise<string> {
    return this.ask('iota_getChainIdentifier', [], headers);
  }

  /** Null: the node does not show it. */
  systemState(): Promise<SystemState | null> {
    return (this.#state ??= this.readState());
  }

  newestCheckpoint(): Promise<string> {
    return this.ask('iota_getLatestCheckpointSequenceNumber');
  }

  checkpoint(number: string): Promise<Checkpoint> {
    return this.ask('iota_getCheckpoint', [number]);
  }

  /** Over JSON-RPC. */
  async checkpoints(count: number, descending: boolean): Promise<readonly Checkpoint[]> {
    const params = [null, count, descending];
    return (await this.ask<{ data: Checkpoint[] }>('iota_getCheckpoints', params)).data;
  }

  transaction(digest: string, parts: object): Promise<ShownTransaction> {
    return this.ask('iota_getTransactionBlock', [digest, parts]);
  }

  /** Null: the ledger has none. */
  newestTransaction(): Promise<ShownTransaction | null> {
    return (this.#newestTransaction ??= this.findNewestTransaction());
  }

  /** The checkpoints from this number on, as the events service reads them over gRPC. */
  stream(first: number, options: ShowOptions): AsyncIterable<FullCheckpoint> {
    return this.#transport.streamCheckpoints(first, options, AbortSignal.timeout(TIMEOUT_MS));
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
    const send = ({ method, params }: RpcCall) => this.ask(method, params);
    const confirmed = <T>(reads: (node: CallSender) => Promise<T>) => reads({ send });
    const balances = new Map<string, bigint>();
    for await (const page of listGasCoins({ confirmed }, owner)) {
      for (const { objectId, balance } of page) balances.set(objectId, balance);
    }
    return { coins: balances.size, sum: [...balances.values()].reduce((a, b) => a + b, 0n) };
  }

  /** Whether it has a method of JSON-RPC. It refuses a call without parameters and an unknown method differently. */
  async has(method: string): Promise<boolean> {
    try {
      await this.call({ method, params: [] }, this.address.headers);
      return true;
    } catch (error) {
      return error instanceof NodeRefusal && error.code !== NO_METHOD;
    }
  }

  /** Rejects with `NodeRefusal` or `NodeFailure`. */
  async ask<T>(
    method: string,
    params: readonly unknown[] = [],
    headers = this.address.headers,
  ): Promise<T> {
    const call = { method, params };
    const answer = await this.call(call, headers);
    checkAnswer(call, answer);
    return answer as T;
  }

  /** For calls through `channel`. */
  get endsAt(): number {
    return performance.now() + TIMEOUT_MS;
  }

  async close(): Promise<void> {
    this.channel.close();
    this.#transport.close();
    await this.#dispatcher.close();
  }

  /** The last transaction is in the first checkpoint that has the total of the newest one. */
  private async findNewestTransaction(): Promise<ShownTransaction | null> {
    const newest = await this.newestCheckpoint();
    let found = await this.checkpoint(newest);
    const { networkTotalTransactions: total } = found;
    let [below, above] = [-1, Number(newest)];
    while (found.transactions.length === 0 && above - below > 1) {
      const middle = Math.floor((below + above) / 2);
      // The node may have pruned it.
      const checkpoint = await this.checkpoint(String(middle)).catch(() => null);
      if (checkpoint?.networkTotalTransactions !== total) below = middle;
      else [found, above] = [checkpoint, middle];
    }
    // The last one of a checkpoint is not the system's own.
    const digest = found.transactions.at(-1);
    return digest === undefined
      ? null
      : this.transaction(digest, { ...PARTS, showBalanceChanges: true });
  }

  private async readState(): Promise<SystemState | null> {
    // The protocol may have either kind of lock.
    for (const version of ['V2', '']) {
      try {
        const method = `iotax_getLatestIotaSystemState${version}`;
        const state = await this.ask<SystemState & { V2?: SystemState }>(method);
        return state.V2 ?? state;
      } catch {
        // The other version of the method may exist.
      }
    }
    return null;
  }

  private async call(call: RpcCall, headers: NodeAddress['headers']): Promise<unknown> {
    this.calls += 1;
    try {
      return await this.carry(call, headers);
    } catch (error) {
      if (!(error instanceof NodeFailure)) throw error;
      const { retryAfterMs, message } = error;
      if (retryAfterMs !== undefined || message.startsWith('RESOURCE_EXHAUSTED')) {
        this.limitedCalls += 1;
      }
      if (retryAfterMs === undefined) throw error;
      await sleep(Math.min(retryAfterMs, LONGEST_LIMIT_MS));
      return this.carry(call, headers);
    }
  }

  private async carry(call: RpcCall, headers: NodeAddress['headers']): Promise<unknown> {
    const { url } = this.address;
    if (!this.isGrpc) {
      const options = { url, headers, dispatcher: this.#dispatcher, timeoutMs: TIMEOUT_MS };
      return postCall(options, call, this.calls);
    }
    if (headers === this.address.headers) return this.#transport.call(call, TIMEOUT_MS);
    const other = new GrpcTransport({ url, headers });
    try {
      return await other.call(call, TIMEOUT_MS);
    } finally {
      other.close();
    }
  }
}
