import { create, fromBinary, type MessageInitShape } from '@bufbuild/protobuf';
import {
  type CheckpointData,
  CheckpointDataSchema,
  DigestSchema,
  type GetObjectsRequest,
  GetObjectsResponseSchema,
  GetServiceInfoResponseSchema,
  type GetTransactionsRequest,
  GetTransactionsResponseSchema,
  LedgerService,
  type ObjectResultSchema,
  serviceDefinition,
  type StreamCheckpointsRequest,
} from '../../node-messages/index.js';
import { readGrpcRecording } from '../../recorded-node/index.js';
import { Server, ServerCredentials, type ServerWritableStream, status } from '@grpc/grpc-js';
import { toBase58 } from '@iota/iota-sdk/utils';
import { clientThrough } from '../client/routed-client.js';
import { GrpcNode } from './grpc-node.js';
import { recordedTransactions } from './recorded-packages.test-support.js';

/**
 * The messages of a recorded stream. Two were recorded without the digests of checkpoints: they get some
 * digest.
 */
export function recordedStream(name: string): CheckpointData[] {
  const { responses } = readGrpcRecording().find((one) => one.name === name)!;
  return responses.map((one) => {
    const { payload, ...message } = fromBinary(CheckpointDataSchema, Buffer.from(one, 'base64'));
    const summary = payload.case === 'checkpoint' ? payload.value.summary : undefined;
    if (summary) summary.digest ??= create(DigestSchema, { digest: new Uint8Array(32) });
    return { ...message, payload };
  });
}

/** A node with recorded transactions and streams, and these packages. */
export class EventNode {
  readonly packages: Map<string, Uint8Array>;
  readonly transactions = new Map(recordedTransactions);
  /** The ids of the packages of each call. */
  readonly packageCalls: string[][] = [];
  height = 10_000n;
  stream: CheckpointData[] = [];
  /** A refusal of all objects. */
  failure: { readonly code: number; readonly message: string } | null = null;
  /** Does not answer calls for objects. */
  isSilent = false;
  readonly #server = new Server();
  grpc!: GrpcNode;
  readonly client = clientThrough((call) => this.grpc.run(call, 10_000));

  constructor(packages: Iterable<readonly [string, Uint8Array]>) {
    this.packages = new Map(packages);
  }

  async start(): Promise<this> {
    this.#server.addService(serviceDefinition(LedgerService), {
      GetServiceInfo: (_call: unknown, reply: (error: null, value: unknown) => void) =>
        reply(
          null,
          create(GetServiceInfoResponseSchema, { executedCheckpointHeight: this.height }),
        ),
      GetObjects: (call: ServerWritableStream<GetObjectsRequest, unknown>) => {
        if (this.isSilent) return;
        if (this.failure) return void call.emit('error', this.failure);
        const ids = call.request.requests!.requests.map(
          ({ objectRef }) => `0x${Buffer.from(objectRef!.objectId!.objectId).toString('hex')}`,
        );
        this.packageCalls.push(ids);
        call.write(create(GetObjectsResponseSchema, { objects: ids.map((id) => this.show(id)) }));
        call.end();
      },
      GetTransactions: (call: ServerWritableStream<GetTransactionsRequest, unknown>) => {
        const transactionResults = call.request.requests!.requests.map(({ digest }) => {
          const value = this.transactions.get(toBase58(digest!.digest))!;
          return { result: { case: 'executedTransaction', value } } as const;
        });
        call.write(create(GetTransactionsResponseSchema, { transactionResults }));
        call.end();
      },
      StreamCheckpoints: (call: ServerWritableStream<StreamCheckpointsRequest, unknown>) => {
        for (const part of this.stream) call.write(part);
        call.end();
      },
    });
    const port = await new Promise<number>((resolve, reject) => {
      this.#server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
        error ? reject(error) : resolve(bound),
      );
    });
    this.grpc = new GrpcNode({ url: `grpc://127.0.0.1:${port}` });
    return this;
  }

  stop(): void {
    this.grpc.close();
    this.#server.forceShutdown();
  }

  private show(id: string): MessageInitShape<typeof ObjectResultSchema> {
    const data = this.packages.get(id);
    if (data) return { result: { case: 'object', value: { bcs: { data } } } };
    const value = { code: status.NOT_FOUND, message: `Object ${id} not found` };
    return { result: { case: 'error', value } };
  }
}
