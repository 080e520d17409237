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
import { type CalledNode, NodeLayouts } from './node-layouts.js';

type Answer = (
  node: CalledNode,
  params: readonly unknown[],
  knownVersions?: RpcCall['knownVersions'],
) => Promise<unknown>;

const NO_METHOD = -32_601;
const INVALID_PARAMS = -32_602;
/** A network is identified by this many bytes of the digest of its first checkpoint. */
const CHAIN_BYTES = 4;

/** The methods of JSON-RPC that the ledger uses, answered over gRPC in the same form. */
const ANSWERS: Readonly<Record<string, Answer>> = {
  async iota_getChainIdentifier(node) {
    const { chainId } = await readInfo(node, ['chain_id']);
    return toHex((chainId?.digest ?? new Uint8Array()).slice(0, CHAIN_BYTES));
  },
  async iota_getLatestCheckpointSequenceNumber(node) {
    return String((await readInfo(node, ['executed_checkpoint_height'])).executedCheckpointHeight);
  },
  iota_getCheckpoint: (node, [number]) => readCheckpoint(node, number as string),
  iota_getCheckpoints: (node, [cursor, limit, descending]) =>
    readCheckpoints(
      node,
      (cursor as string | null) ?? null,
      limit as number,
      descending as boolean,
    ),
  /** Without a version, the first version of the system state is asked for. */
  iota_getProtocolConfig: () => Promise.resolve({}),
  iotax_getLatestIotaSystemState: (node) => readSystemState(node),
  iota_multiGetObjects: (node, [ids], knownVersions) =>
    readObjects(node, ids as readonly string[], knownVersions),
  async iota_getNormalizedMoveFunction({ layouts }, params) {
    const [id, module, name] = params as readonly string[];
    const parameters = await layouts.parametersOf(id!, module!, name!);
    if (parameters) return { parameters: parameters.map(showNormalized) };
    const message = `No function was found with function name ${name!}`;
    throw new NodeRefusal(message, INVALID_PARAMS, undefined);
  },
  iotax_getCoins: (node, [owner, , cursor]) =>
    listCoins(node, owner as string, (cursor as string | null) ?? null),
  async iotax_getBalance(node, [owner]) {
    return { coinObjectCount: await countCoins(node, owner as string) };
  },
  iota_getTransactionBlock: (node, [digest, options]) =>
    readTransaction(node, digest as string, options as ShowOptions),
  iota_multiGetTransactionBlocks: (node, [digests, options]) =>
    readTransactions(node, digests as readonly string[], options as ShowOptions),
  iota_dryRunTransactionBlock: (node, [bytes]) => simulateTransaction(node, bytes as string),
  iota_executeTransactionBlock: (node, [bytes, signatures]) =>
    executeTransaction(node, bytes as string, signatures as readonly string[]),
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
    return streamCheckpoints(this.until(Infinity), first, options, signal);
  }

  async call(call: RpcCall, timeoutMs: number): Promise<unknown> {
    const { method, params, signal, knownVersions } = call;
    const node = this.until(performance.now() + timeoutMs);
    const answer = ANSWERS[method];
    if (!answer) {
      throw new NodeRefusal(`${method} is not available over gRPC`, NO_METHOD, undefined);
    }
    try {
      return await unlessAborted(answer(node, params, knownVersions), signal);
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

  private until(endsAt: number): CalledNode {
    return { channel: this.#channel, layouts: this.#layouts, endsAt };
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

function readInfo({ channel, endsAt }: CalledNode, paths: string[]) {
  return channel.unary(LedgerService.method.getServiceInfo, { readMask: { paths } }, endsAt);
}
