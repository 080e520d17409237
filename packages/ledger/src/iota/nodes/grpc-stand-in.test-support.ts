import { create } from '@bufbuild/protobuf';
import {
  ExecuteTransactionsResponseSchema,
  GetEpochResponseSchema,
  GetObjectsResponseSchema,
  GetServiceInfoResponseSchema,
  GetTransactionsResponseSchema,
  LedgerService,
  ListOwnedObjectsResponseSchema,
  serviceDefinition,
  StateService,
  TransactionExecutionService,
} from '../../node-messages/index.js';
import { Server, ServerCredentials, status } from '@grpc/grpc-js';

type Reply = (error: null, value: unknown) => void;
interface Asked {
  readonly requests: { readonly requests: readonly unknown[] };
}
interface Stream {
  readonly request: Asked;
  write(value: unknown): void;
  end(): void;
}

/** A node over gRPC of a ledger on which nothing exists, and whose network a test changes. */
export class GrpcStandIn {
  /** Methods called, apart from requests for the network. */
  readonly calls: string[] = [];
  chain = 'a1b2c3d4';
  epoch = 900n;
  /** Called before the answer to a call; may change the network. */
  onCall: () => void | Promise<void> = () => undefined;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<GrpcStandIn> {
    const server = new Server();
    const unary = (method: string, answer: () => unknown) => (_call: unknown, reply: Reply) =>
      void node.note(method).then(() => reply(null, answer()));
    const stream = (method: string, answer: (request: Asked) => unknown) => (call: Stream) =>
      void node.note(method).then(() => {
        call.write(answer(call.request));
        call.end();
      });
    const refused = { code: status.INVALID_ARGUMENT, message: 'Invalid user signature: x' };
    const absent = { code: status.NOT_FOUND, message: 'not found' };
    const error = { result: { case: 'error', value: absent } } as const;
    server.addService(serviceDefinition(LedgerService), {
      GetServiceInfo: (_call: unknown, reply: Reply) => reply(null, node.describe()),
      GetEpoch: unary('GetEpoch', () => create(GetEpochResponseSchema, { epoch: node.state() })),
      GetObjects: stream('GetObjects', ({ requests }) =>
        create(GetObjectsResponseSchema, { objects: requests.requests.map(() => error) }),
      ),
      GetTransactions: stream('GetTransactions', () =>
        create(GetTransactionsResponseSchema, { transactionResults: [error] }),
      ),
    });
    server.addService(serviceDefinition(StateService), {
      ListOwnedObjects: unary('ListOwnedObjects', () => create(ListOwnedObjectsResponseSchema, {})),
    });
    server.addService(serviceDefinition(TransactionExecutionService), {
      ExecuteTransactions: unary('ExecuteTransactions', () =>
        create(ExecuteTransactionsResponseSchema, {
          transactionResults: [{ result: { case: 'error', value: refused } }],
        }),
      ),
    });
    const port = await new Promise<number>((resolve, reject) => {
      const insecure = ServerCredentials.createInsecure();
      server.bindAsync('127.0.0.1:0', insecure, (failure, bound) =>
        failure ? reject(failure) : resolve(bound),
      );
    });
    const node = new GrpcStandIn(server, `grpc://127.0.0.1:${port}`);
    return node;
  }

  async stop(): Promise<void> {
    this.server.forceShutdown();
  }

  private async note(method: string): Promise<void> {
    this.calls.push(method);
    await this.onCall();
  }

  private describe() {
    const digest = new Uint8Array(32);
    digest.set(Buffer.from(this.chain, 'hex'));
    return create(GetServiceInfoResponseSchema, { chainId: { digest } });
  }

  private state() {
    return {
      epoch: this.epoch,
      start: { seconds: 1_760_000_000n, nanos: 0 },
      referenceGasPrice: 1_000n,
      protocolConfig: { protocolVersion: 12n },
    };
  }
}
