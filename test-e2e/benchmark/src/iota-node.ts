import {
  digestInBase58,
  digestInBase64,
  JsonRpcCode,
  JsonRpcError,
  type LedgerEvent,
} from '@forecourt/contracts';
import { registerRpcRoute, type RpcConnection, serveRpcSockets } from '@forecourt/json-rpc';
import type { FastifyInstance } from 'fastify';
import { digestOf, txSeqOf } from './event-index/sample-ledger.js';

const LIMITS = { path: '/', maxBatch: 0 };
const MAX_BYTES = 1_000_000;
const SUBSCRIBE = 'iotax_subscribeEvent';

/** A checkpoint and the events of each of its transactions, but for its own. */
export interface SampleCheckpoint {
  readonly at: number;
  readonly firstTxSeq: number;
  readonly transactions: readonly (readonly LedgerEvent[])[];
}

/** The ledger of a stand-in, up to its newest checkpoint. */
export interface SampleChain {
  readonly latest: number;
  /** Undefined: the node does not have it. */
  checkpoint(number: number): SampleCheckpoint | undefined;
  checkpointOf(txSeq: number): number;
}

/** A node that shows a ledger of samples in IOTA's dialect, over JSON-RPC. */
export class IotaNode {
  readonly #subscribers = new Set<RpcConnection>();

  constructor(
    server: FastifyInstance,
    private readonly chain: SampleChain,
  ) {
    registerRpcRoute(server, async (method, params) => this.call(method, params as unknown[]), {
      ...LIMITS,
      bodyLimitBytes: MAX_BYTES,
    });
    serveRpcSockets(
      server.server,
      async (_method, _params, { connection, afterReply }) => {
        afterReply(() => this.#subscribers.add(connection!));
        connection!.closed.addEventListener('abort', () => this.#subscribers.delete(connection!));
        return 1;
      },
      {
        ...LIMITS,
        maxMessageBytes: MAX_BYTES,
        maxConnections: 10,
        pingIntervalMs: 60_000,
        maxPendingCalls: 10,
        maxBufferedBytes: 2 ** 30,
      },
    );
  }

  /** Tells subscribers that there is a new checkpoint, as Move events do. */
  signal(): void {
    const params = { subscription: 1, result: {} };
    const text = JSON.stringify({ jsonrpc: '2.0', method: SUBSCRIBE, params });
    for (const connection of this.#subscribers) connection.send(text);
  }

  private call(method: string, params: readonly unknown[]): unknown {
    switch (method) {
      case 'iota_getChainIdentifier':
        return 'sample';
      case 'iota_getLatestCheckpointSequenceNumber':
        return String(this.chain.latest);
      case 'iota_getCheckpoint':
        return this.requireCheckpoint(Number(params[0]));
      case 'iota_getCheckpoints':
        return this.listCheckpoints(params);
      case 'iota_multiGetTransactionBlocks':
        return (params[0] as string[]).map((digest) => this.showTransaction(digest));
      default:
        throw new JsonRpcError(JsonRpcCode.methodNotFound, 'Method not found');
    }
  }

  private listCheckpoints([cursor, limit, descending]: readonly unknown[]): object {
    const step = descending === true ? -1 : 1;
    const beginning = descending === true ? this.chain.latest : 0;
    const first = cursor === null ? beginning : Number(cursor) + step;
    const numbers = Array.from({ length: Number(limit) }, (_, index) => first + step * index);
    const data = numbers.flatMap((number) => this.showCheckpoint(number) ?? []);
    return { data, hasNextPage: data.length === Number(limit), nextCursor: null };
  }

  private requireCheckpoint(number: number): object {
    const checkpoint = this.showCheckpoint(number);
    if (checkpoint) return checkpoint;
    const message = `Verified checkpoint not found for sequence number: ${number}`;
    throw new JsonRpcError(JsonRpcCode.invalidRequest, message);
  }

  private showCheckpoint(number: number): object | null {
    const found = number > this.chain.latest ? undefined : this.chain.checkpoint(number);
    if (found === undefined) return null;
    const { at: timestampMs, firstTxSeq, transactions } = found;
    return {
      sequenceNumber: String(number),
      digest: `checkpoint${number}`,
      previousDigest: number === 0 ? null : `checkpoint${number - 1}`,
      epoch: '0',
      timestampMs: String(timestampMs),
      networkTotalTransactions: String(firstTxSeq + transactions.length),
      transactions: transactions.map((_events, index) => shownDigest(firstTxSeq + index)),
    };
  }

  private showTransaction(digest: string): object {
    const txSeq = txSeqOf(digestInBase64(digest));
    const checkpoint = this.chain.checkpointOf(txSeq);
    const { firstTxSeq, transactions } = this.chain.checkpoint(checkpoint)!;
    return {
      checkpoint: String(checkpoint),
      ...describe(digest, transactions[txSeq - firstTxSeq]!),
    };
  }
}

const shownDigest = (txSeq: number) => digestInBase58(digestOf(txSeq));

/** A transaction from whose parts these events follow. */
function describe(digest: string, events: readonly LedgerEvent[]): object {
  const moves = events.flatMap((event) => ('moveEvent' in event ? [event.moveEvent] : []));
  const published = events.flatMap((event) => ('publish' in event ? [event.publish] : []));
  const created = events.flatMap((event) => ('newObject' in event ? [event.newObject] : []));
  const moved = events.flatMap((event) =>
    'transferObject' in event ? [event.transferObject] : [],
  );
  const deleted = events.flatMap((event) => ('deleteObject' in event ? [event.deleteObject] : []));
  const [origin] = [...moves, ...created, ...moved, ...deleted];
  const sender = origin?.sender ?? published[0]?.sender ?? '0x0';
  const call = origin && { package: origin.packageId, module: origin.transactionModule };
  const inputs = moved.map(({ objectId }) => {
    return { type: 'object', objectType: 'receiving', objectId };
  });
  const write = { digest, sender };
  return {
    digest,
    transaction: {
      data: {
        sender,
        gasData: { owner: sender, payment: [] },
        transaction: { inputs, transactions: call ? [{ MoveCall: call }] : [] },
      },
    },
    effects: {
      deleted: deleted.map(({ objectId, version = 1 }) => ({ objectId, version, digest })),
    },
    events: moves.map(({ fields, ...event }, index) => ({
      ...event,
      id: { txDigest: digest, eventSeq: String(index) },
      parsedJson: fields,
      bcsEncoding: 'base64',
    })),
    objectChanges: [
      ...published.map(({ packageId }) => ({ type: 'published', packageId })),
      ...created.map(({ objectId, recipient: owner, objectType, version }) => {
        return { ...write, type: 'created', objectId, owner, objectType, version: String(version) };
      }),
      ...moved.map(({ objectId, recipient: owner, type: objectType, version }) => {
        return { ...write, type: 'mutated', objectId, owner, objectType, version: String(version) };
      }),
    ],
  };
}
