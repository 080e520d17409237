import { LedgerService } from '@forecourt/node-messages';
import { toHex } from '@iota/iota-sdk/utils';
import { NodeFailure, NodeRefusal } from '../transport/node-errors.js';
import type {
  NodeTransport,
  RpcCall,
  TransportEvents,
  TransportOptions,
} from '../transport/node-transport.js';
import { GrpcChannel } from './grpc-channel.js';
import {
  type FullCheckpoint,
  readCheckpoint,
  readCheckpoints,
  streamCheckpoints,
} from './grpc-checkpoints.js';
import { countCoins, listCoins, readObjects } from './grpc-objects.js';
import {
  executeTransactions,
  readTransaction,
  readTransactions,
  type SignedTransaction,
} from './grpc-transactions.js';
import { NodeLayouts } from './node-layouts.js';
import { simulateTransaction } from './simulate-transaction.js';
import type { ShowOptions } from './transaction-fields.js';

type Answer = (
  channel: GrpcChannel,
  params: readonly unknown[],
  endsAt: number,
  layouts: NodeLayouts,
) => Promise<unknown>;

const NO_METHOD = -32_601;
/** A network is identified by this many bytes of the digest of its first checkpoint. */
const CHAIN_BYTES = 4;

/** The methods of JSON-RPC that the ledger uses, answered over gRPC in the same form. */
const ANSWERS: Readonly<Record<string, Answer>> = {
  async iota_getChainIdentifier(channel, _params, endsAt) {
    const { chainId } = await readInfo(channel, ['chain_id'], endsAt);
    return toHex((chainId?.digest ?? new Uint8Array()).slice(0, CHAIN_BYTES));
  },
  async iota_getLatestCheckpointSequenceNumber(channel, _params, endsAt) {
    const info = await readInfo(channel, ['executed_checkpoint_height'], endsAt);
    return String(info.executedCheckpointHeight);
  },
  iota_getCheckpoint: (channel, [number], endsAt) =>
    readCheckpoint(channel, number as string, endsAt),
  iota_getCheckpoints: (channel, [cursor, limit, descending], endsAt) =>
    readCheckpoints(
      channel,
      (cursor as string | null) ?? null,
      limit as number,
      descending as boolean,
      endsAt,
    ),
  /** Without attributes, the SDK asks for the first version of the system state. */
  iota_getProtocolConfig: () => Promise.resolve({ attributes: {} }),
  iotax_getLatestIotaSystemState: (channel, _params, endsAt) => readSystemState(channel, endsAt),
  /** The SDK asks for it if a node over JSON-RPC, which has failed since, has answered `iota_getProtocolConfig`. */
  async iotax_getLatestIotaSystemStateV2(channel, _params, endsAt) {
    return { V2: { ...(await readSystemState(channel, endsAt)), committeeMembers: [] } };
  },
  iota_multiGetObjects: (channel, [ids], endsAt) =>
    readObjects(channel, ids as readonly string[], endsAt),
  iotax_getCoins: (channel, [owner, , cursor], endsAt) =>
    listCoins(channel, owner as string, (cursor as string | null) ?? null, endsAt),
  async iotax_getBalance(channel, [owner], endsAt) {
    return { coinObjectCount: await countCoins(channel, owner as string, endsAt) };
  },
  iota_getTransactionBlock: (channel, [digest, options], ...others) =>
    readTransaction(channel, digest as string, options as ShowOptions, ...others),
  iota_multiGetTransactionBlocks: (channel, [digests, options], ...others) =>
    readTransactions(channel, digests as readonly string[], options as ShowOptions, ...others),
  iota_dryRunTransactionBlock: (channel, [bytes], ...others) =>
    simulateTransaction(channel, bytes as string, ...others),
};

const EXECUTE = 'iota_executeTransactionBlock';
/** Transactions that nodes take in one call. */
const MOST_TOGETHER = 20;

/**
 * Calls of JSON-RPC, carried out over gRPC. Transactions that are submitted in the same turn share one call, which saves
 * the sender's and the node's processor time and delays none of them.
 */
export class GrpcTransport implements NodeTransport {
  readonly isShared = true;
  readonly #channel: GrpcChannel;
  readonly #layouts: NodeLayouts;
  #waiting: Submitted[] = [];

  constructor(
    { url, headers = {} }: Pick<TransportOptions, 'url' | 'headers'>,
    events: Partial<TransportEvents> = {},
  ) {
    const onConnect = () => {
      this.#layouts.clear();
      events.onConnect?.();
    };
    this.#channel = new GrpcChannel({ url, headers, ...events, onConnect });
    this.#layouts = new NodeLayouts(this.#channel);
  }

  /** See `streamCheckpoints`. */
  streamCheckpoints(
    first: number,
    options: ShowOptions,
    signal: AbortSignal,
  ): AsyncGenerator<FullCheckpoint> {
    return streamCheckpoints(this.#channel, this.#layouts, { first, options, signal });
  }

  async call({ method, params, signal }: RpcCall, timeoutMs: number): Promise<unknown> {
    const endsAt = performance.now() + timeoutMs;
    const answer: Answer | undefined =
      method === EXECUTE ? () => this.submit(params, endsAt) : ANSWERS[method];
    if (!answer) {
      throw new NodeRefusal(`${method} is not available over gRPC`, NO_METHOD, undefined);
    }
    try {
      return await unlessAborted(answer(this.#channel, params, endsAt, this.#layouts), signal);
    } catch (error) {
      if (error instanceof NodeFailure || error instanceof NodeRefusal) throw error;
      // A message that lacks a field, or bytes that cannot be decoded.
      const message = `${method}: malformed answer: ${(error as Error).message}`;
      throw new NodeFailure(message, { mayBeProcessed: true, cause: error });
    }
  }

  close(): void {
    this.#channel.close();
  }

  private submit([bytes, signatures]: readonly unknown[], endsAt: number): Promise<object> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) setImmediate(() => this.submitAll());
      const transaction = { bytes: bytes as string, signatures: signatures as readonly string[] };
      this.#waiting.push({ transaction, endsAt, resolve, reject });
      if (this.#waiting.length === MOST_TOGETHER) this.submitAll();
    });
  }

  private submitAll(): void {
    const submitted = this.#waiting;
    this.#waiting = [];
    if (submitted.length === 0) return;
    const endsAt = Math.min(...submitted.map((one) => one.endsAt));
    const transactions = submitted.map(({ transaction }) => transaction);
    executeTransactions(this.#channel, transactions, endsAt).then(
      (answers) => {
        for (const [index, { resolve, reject }] of submitted.entries()) {
          const answer = answers[index] ?? new Error('no result');
          if (answer instanceof Error) reject(answer);
          else resolve(answer);
        }
      },
      (error: Error) => submitted.forEach(({ reject }) => reject(error)),
    );
  }
}

interface Submitted {
  readonly transaction: SignedTransaction;
  readonly endsAt: number;
  readonly resolve: (shown: object) => void;
  readonly reject: (error: Error) => void;
}

/** Rejects with the signal's reason as soon as it aborts; the call itself ends at its deadline. */
async function unlessAborted<T>(answer: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return answer;
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => {
    const message = `aborted: ${String(signal.reason)}`;
    reject(new NodeFailure(message, { mayBeProcessed: true, cause: signal.reason }));
  };
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort);
  try {
    return await Promise.race([answer, promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

function readInfo(channel: GrpcChannel, paths: string[], endsAt: number) {
  const request = { readMask: { paths } };
  return channel.unary(LedgerService.method.getServiceInfo, request, endsAt);
}

async function readSystemState(channel: GrpcChannel, endsAt: number): Promise<object> {
  const paths = ['epoch', 'start', 'reference_gas_price', 'protocol_config.protocol_version'];
  const request = { readMask: { paths } };
  const { epoch } = await channel.unary(LedgerService.method.getEpoch, request, endsAt);
  return {
    epoch: String(epoch?.epoch),
    referenceGasPrice: String(epoch?.referenceGasPrice),
    epochStartTimestampMs: String(milliseconds(epoch?.start)),
    // The length of epochs is part of the system state only; on all networks it is a day.
    epochDurationMs: String(EPOCH_MS),
    protocolVersion: String(epoch?.protocolConfig?.protocolVersion),
    // The SDK reads the list; the ledger package does not.
    activeValidators: [],
  };
}

const EPOCH_MS = 86_400_000;

function milliseconds(time: { seconds: bigint; nanos: number } | undefined): bigint {
  if (time === undefined) return 0n;
  return time.seconds * 1_000n + BigInt(Math.trunc(time.nanos / 1_000_000));
}
