import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { anyPack } from '@bufbuild/protobuf/wkt';
import {
  BadRequestSchema,
  type CheckpointDataSchema,
  type ExecutedTransactionSchema,
  type GetCheckpointRequest,
  type GetTransactionsRequest,
  GetTransactionsResponseSchema,
  CheckpointDataSchema as DataSchema,
  GetServiceInfoResponseSchema,
  LedgerService,
  serviceDefinition,
  StatusSchema,
  type StreamCheckpointsRequest,
} from '@forecourt/ledger/node-messages';
import {
  Metadata,
  Server,
  ServerCredentials,
  type ServerWritableStream,
  status,
} from '@grpc/grpc-js';
import { base58 } from '@scure/base';
import { summaryOf } from './checkpoint-summary.test-support.js';
import { digestOf } from './realistic-node.test-support.js';
import { BYTES, effectsOf, WRITTEN_OBJECT } from './streamed-transaction.test-support.js';

type Part = MessageInitShape<typeof CheckpointDataSchema>;
type Transaction = MessageInitShape<typeof ExecutedTransactionSchema>;

const PER_CHECKPOINT = 2;
const USUAL_BYTES = 4 * 2 ** 20;

/** A node over gRPC with checkpoints of two transactions, each of which deletes an object. */
export class StreamingNode {
  /** Names of the calls, in order. */
  readonly calls: string[] = [];
  /** First checkpoints of the streams, in order. */
  readonly streamsFrom: number[] = [];
  readonly skipped = new Set<number>();
  /** Digests of transactions that the node sends without the object that they wrote. */
  readonly withoutObjects = new Set<string>();
  /** Digests of large transactions, and their bytes. */
  readonly sizes = new Map<string, number>();
  /** A path of read masks that the node's version does not know. */
  unknownPath: string | null = null;
  lowest = 0;
  /** The lowest checkpoint whose objects the node still has; null: `lowest`. */
  lowestObjects: number | null = null;
  /** Distinguishes the digests of checkpoints. */
  network = 7;
  readonly #server = new Server();
  readonly #wakes = new Set<() => void>();
  readonly #streams = new Set<ServerWritableStream<StreamCheckpointsRequest, unknown>>();
  url = '';

  constructor(public count: number) {}

  async start(): Promise<this> {
    this.#server.addService(serviceDefinition(LedgerService), {
      GetServiceInfo: (_call: unknown, reply: (error: null, value: unknown) => void) => {
        this.calls.push('GetServiceInfo');
        const info = {
          chainId: { digest: new Uint8Array(32).fill(this.network) },
          executedCheckpointHeight: BigInt(this.count - 1),
          lowestAvailableCheckpoint: BigInt(this.lowest),
          lowestAvailableCheckpointObjects: BigInt(this.lowestObjects ?? this.lowest),
        };
        reply(null, create(GetServiceInfoResponseSchema, info));
      },
      GetCheckpoint: (call: ServerWritableStream<GetCheckpointRequest, unknown>) => {
        this.calls.push('GetCheckpoint');
        const number = Number(call.request.checkpointId.value);
        if (this.has(number)) this.send(call, number);
        else fail(call, status.NOT_FOUND, `Checkpoint ${number} not found`);
        call.end();
      },
      GetTransactions: (call: ServerWritableStream<GetTransactionsRequest, unknown>) => {
        this.calls.push('GetTransactions');
        if (this.refuses(call)) return;
        const digests = call.request.requests!.requests.map(({ digest }) => digest!.digest);
        if (this.refusesSize(call, digests.map(base58.encode))) return;
        const transactionResults = digests.map((digest) => {
          const txSeq = new DataView(digest.buffer, digest.byteOffset).getUint32(28);
          return {
            result: { case: 'executedTransaction', value: this.transaction(txSeq) },
          } as const;
        });
        call.end(void call.write(create(GetTransactionsResponseSchema, { transactionResults })));
      },
      StreamCheckpoints: (call: ServerWritableStream<StreamCheckpointsRequest, unknown>) =>
        void this.stream(call),
    });
    const port = await new Promise<number>((resolve, reject) => {
      const security = ServerCredentials.createInsecure();
      this.#server.bindAsync('127.0.0.1:0', security, (error, bound) =>
        error ? reject(error) : resolve(bound),
      );
    });
    this.url = `grpc://127.0.0.1:${port}`;
    return this;
  }

  /** Seals further checkpoints. */
  add(count: number): void {
    this.count += count;
    for (const wake of this.#wakes) wake();
  }

  /** Ends every open stream as a node that shuts down. */
  endStreams(): void {
    for (const stream of this.#streams) fail(stream, status.UNAVAILABLE, 'shutting down');
  }

  stop(): void {
    this.#server.forceShutdown();
  }

  private async stream(call: ServerWritableStream<StreamCheckpointsRequest, unknown>) {
    this.calls.push('StreamCheckpoints');
    if (this.refuses(call)) return;
    const first = Number(call.request.startSequenceNumber);
    const last = Number(call.request.endSequenceNumber ?? Infinity);
    if (last === Infinity) this.streamsFrom.push(first);
    this.#streams.add(call);
    call.on('close', () => this.#streams.delete(call)).on('cancelled', () => call.end());
    if (first < this.lowest) {
      const text = `Checkpoint data ${first} is below the lowest available checkpoint`;
      return fail(call, status.NOT_FOUND, text);
    }
    for (let next = first; next <= last && !call.cancelled && !call.destroyed; next += 1) {
      if (next >= this.count) await this.more(call);
      if (call.cancelled || call.destroyed) return;
      const digests = [PER_CHECKPOINT * next, PER_CHECKPOINT * next + 1].map(digestOf);
      if (this.refusesSize(call, digests)) return;
      if (!this.skipped.has(next)) this.send(call, next);
    }
    call.end();
  }

  /** As nodes do it, with a detail that names the field of the request. */
  private refuses(
    call: ServerWritableStream<GetTransactionsRequest | StreamCheckpointsRequest, unknown>,
  ): boolean {
    const paths = call.request.readMask?.paths ?? [];
    const path = paths.find((one) => this.unknownPath !== null && one.endsWith(this.unknownPath));
    if (path === undefined) return false;
    const message = `invalid read_mask path: ${path}`;
    const fieldViolations = [{ field: 'read_mask', reason: 'FIELD_INVALID' }];
    const detail = anyPack(BadRequestSchema, create(BadRequestSchema, { fieldViolations }));
    const refusal = create(StatusSchema, { code: 3, message, details: [detail] });
    const metadata = new Metadata();
    metadata.set('grpc-status-details-bin', Buffer.from(toBinary(StatusSchema, refusal)));
    fail(call, status.INVALID_ARGUMENT, message, metadata);
    return true;
  }

  private refusesSize(
    call: ServerWritableStream<GetTransactionsRequest | StreamCheckpointsRequest, unknown>,
    digests: readonly string[],
  ): boolean {
    const most = call.request.maxMessageSizeBytes ?? USUAL_BYTES;
    const size = Math.max(...digests.map((digest) => this.sizes.get(digest) ?? 0));
    if (size <= most) return false;
    const text = `Single item size (${size} bytes) exceeds max message size (${most} bytes)`;
    fail(call, status.INVALID_ARGUMENT, text);
    return true;
  }

  private async more(call: ServerWritableStream<unknown, unknown>): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#wakes.add(resolve);
      call.on('close', resolve).on('cancelled', resolve);
    });
  }

  private has(number: number): boolean {
    return number >= this.lowest && number < this.count && !this.skipped.has(number);
  }

  private send(call: ServerWritableStream<unknown, unknown>, number: number): void {
    for (const part of this.parts(number)) call.write(create(DataSchema, part));
  }

  private parts(number: number): Part[] {
    const first = number * PER_CHECKPOINT;
    const batches = [first, first + 1].map((txSeq): Part => {
      const value = { executedTransactions: [this.transaction(txSeq)] };
      return { payload: { case: 'executedTransactions', value } };
    });
    const sequenceNumber = BigInt(number);
    return [
      {
        payload: {
          case: 'checkpoint',
          value: { sequenceNumber, summary: summaryOf(number, PER_CHECKPOINT, this.network) },
        },
      },
      ...batches,
      { payload: { case: 'endMarker', value: { sequenceNumber } } },
    ];
  }

  private transaction(txSeq: number): Transaction {
    const digest = digestOf(txSeq);
    const sealed = BigInt(Math.floor(txSeq / PER_CHECKPOINT));
    return {
      transaction: { digest: { digest: base58.decode(digest) }, bcs: { data: BYTES } },
      effects: { bcs: { data: effectsOf(digest) } },
      checkpoint: sealed,
      outputObjects: {
        objects: this.withoutObjects.has(digest) ? [] : [{ bcs: { data: WRITTEN_OBJECT } }],
      },
    };
  }
}

function fail(
  call: ServerWritableStream<unknown, unknown>,
  code: number,
  details: string,
  metadata?: Metadata,
): void {
  call.emit('error', { code, details, metadata });
}
