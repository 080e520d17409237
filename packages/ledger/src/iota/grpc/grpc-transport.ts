import { LedgerService } from '../../node-messages/index.js';
import { toHex } from '@iota/iota-sdk/utils';
import { NodeFailure } from '../transport/node-failure.js';
import type {
  NodeTransport,
  RpcCall,
  TransportEvents,
  TransportOptions,
} from '../transport/node-transport.js';
import { NodeRefusal } from '../transport/node-refusal.js';
import { GrpcChannel } from './grpc-channel.js';
import {
  type FullCheckpoint,
  readCheckpoint,
  readCheckpoints,
  streamCheckpoints,
} from './grpc-checkpoints.js';
import { readSystemState } from './grpc-epochs.js';
import { countCoins, listCoins, readObjects } from './grpc-objects.js';
import {
  executeTransaction,
  readTransaction,
  readTransactions,
  type ShowOptions,
  simulateTransaction,
} from './grpc-transactions.js';
import { showNormalized } from '../move/function-signatures.js';
import { NodeLayouts } from './node-layouts.js';

type Answer = (
  channel: GrpcChannel,
  params: readonly unknown[],
  endsAt: number,
  layouts: NodeLayouts,
  knownVersions?: RpcCall['knownVersions'],
) => Promise<unknown>;

const NO_METHOD = -32_601;
const INVALID_PARAMS = -32_602;
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
  /** Without a version, the first version of the system state is asked for. */
  iota_getProtocolConfig: () => Promise.resolve({}),
  iotax_getLatestIotaSystemState: (channel, _params, endsAt) => readSystemState(channel, endsAt),
  iota_multiGetObjects: (channel, [ids], endsAt, _layouts, knownVersions) =>
    readObjects(channel, ids as readonly string[], endsAt, knownVersions),
  async iota_getNormalizedMoveFunction(_channel, params, _endsAt, layouts) {
    const [id, module, name] = params as readonly string[];
    const parameters = await layouts.parametersOf(id!, module!, name!);
    if (parameters) return { parameters: parameters.map(showNormalized) };
    throw new NodeRefusal(
      `No function was found with function name ${name!}`,
      INVALID_PARAMS,
      undefined,
    );
  },
  iotax_getCoins: (channel, [owner, , cursor], endsAt) =>
    listCoins(channel, owner as string, (cursor as string | null) ?? null, endsAt),
  async iotax_getBalance(channel, [owner], endsAt) {
    return { coinObjectCount: await countCoins(channel, owner as string, endsAt) };
  },
  iota_getTransactionBlock: (channel, [digest, options], endsAt, layouts) =>
    readTransaction(channel, digest as string, options as ShowOptions, endsAt, layouts),
  iota_multiGetTransactionBlocks: (channel, [digests, options], endsAt, layouts) =>
    readTransactions(
      channel,
      digests as readonly string[],
      options as ShowOptions,
      endsAt,
      layouts,
    ),
  iota_dryRunTransactionBlock: (channel, [bytes], endsAt, layouts) =>
    simulateTransaction(channel, bytes as string, endsAt, layouts),
  iota_executeTransactionBlock: (channel, [bytes, signatures], endsAt) =>
    executeTransaction(channel, bytes as string, signatures as readonly string[], endsAt),
};

/** Calls of JSON-RPC, carried out over gRPC. */
export class GrpcTransport implements NodeTransport {
  readonly isShared = true;
  readonly #channel: GrpcChannel;
  readonly #layouts: NodeLayouts;

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

  async call(call: RpcCall, timeoutMs: number): Promise<unknown> {
    const { method, params, signal, knownVersions } = call;
    const endsAt = performance.now() + timeoutMs;
    const answer = ANSWERS[method];
    if (!answer) {
      throw new NodeRefusal(`${method} is not available over gRPC`, NO_METHOD, undefined);
    }
    try {
      const answering = answer(this.#channel, params, endsAt, this.#layouts, knownVersions);
      return await unlessAborted(answering, signal);
    } catch (error) {
      if (error instanceof NodeFailure || error instanceof NodeRefusal) throw error;
      // A message that lacks a field, or bytes that cannot be decoded.
      const message = `${method}: malformed answer: ${(error as Error).message}`;
      throw new NodeFailure(message, { mayBeProcessed: true, isInvalid: true, cause: error });
    }
  }

  close(): void {
    this.#channel.close();
  }
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
