import { create, type MessageInitShape } from '@bufbuild/protobuf';
import {
  type CheckpointDataSchema,
  type ExecutedTransactionSchema,
  type GetCheckpointRequest,
  type GetTransactionsRequest,
  GetTransactionsResponseSchema,
  CheckpointDataSchema as DataSchema,
  GetServiceInfoResponseSchema,
  LedgerService,
  serviceDefinition,
  type StreamCheckpointsRequest,
} from '@forecourt/node-messages';
import {
  type Metadata,
  Server,
  ServerCredentials,
  type ServerWritableStream,
  status,
} from '@grpc/grpc-js';
import { bcs } from '@iota/iota-sdk/bcs';
import { base58 } from '@scure/base';
import { summaryOf } from './checkpoint-summary.test-support.js';
import { digestOf } from './realistic-node.test-support.js';

type Part = MessageInitShape<typeof CheckpointDataSchema>;
type Transaction = MessageInitShape<typeof ExecutedTransactionSchema>;

const ADDRESS = `0x${'1'.repeat(64)}`;
const OBJECT = `0x${'7'.repeat(64)}`;
const NO_DIGEST = base58.encode(new Uint8Array(32));
const GAS = { objectId: OBJECT, version: '1', digest: NO_DIGEST };
const PER_CHECKPOINT = 2;

/** A node over gRPC with checkpoints of two transactions, each of which deletes an object. */
export class StreamingNode {
  /** Names of the calls, in order. */
  readonly calls: string[] = [];
  /** First checkpoints of the streams, in order. */
  readonly streamsFrom: number[] = [];
  readonly skipped = new Set<number>();
  /** Digests of transactions that the node sends without their changes. */
  readonly withoutChanges = new Set<string>();
  lowest = 0;
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
        const digests = call.request.requests!.requests.map(({ digest }) => digest!.digest);
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
      if (!this.skipped.has(next)) this.send(call, next);
    }
    call.end();
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
      ...(!this.withoutChanges.has(digest) && { objectChanges: { objectChanges: [] } }),
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

const BYTES = bcs.TransactionData.serialize({
  V1: {
    kind: { ProgrammableTransaction: { inputs: [], commands: [] } },
    sender: ADDRESS,
    gasData: { payment: [GAS], owner: ADDRESS, price: 1, budget: 1 },
    expiration: { None: true },
  },
}).toBytes();

function effectsOf(transactionDigest: string): Uint8Array {
  return bcs.TransactionEffects.serialize({
    V1: {
      status: { Success: true },
      executedEpoch: 0,
      gasUsed: {
        computationCost: 1,
        computationCostBurned: 1,
        storageCost: 1,
        storageRebate: 1,
        nonRefundableStorageFee: 1,
      },
      transactionDigest,
      gasObjectIndex: null,
      eventsDigest: null,
      dependencies: [],
      lamportVersion: 3,
      changedObjects: [
        [
          OBJECT,
          {
            inputState: { Exist: [['2', NO_DIGEST], { AddressOwner: ADDRESS }] },
            outputState: { NotExist: true },
            idOperation: { Deleted: true },
          },
        ],
      ],
      unchangedSharedObjects: [],
      auxDataDigest: null,
    },
  }).toBytes();
}
