import {
  LedgerService,
  serviceDefinition,
  StateService,
  TransactionExecutionService,
} from '@forecourt/node-messages';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import {
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { DevnetSettings } from '../devnet-config.js';
import { Engine } from '../engine/engine.js';
import { FullNode } from '../engine/full-node.js';
import { FaultyCalls } from '../faults/faulty-calls.js';
import { GrpcListener } from '../http/grpc-listener.js';
import { NodeProfiles } from '../node/node-profile.js';
import { executionService } from './execution-service.js';
import { GrpcCalls } from './grpc-calls.js';
import { ledgerService } from './ledger-service.js';
import { stateService } from './state-service.js';

const MOST_MESSAGE_BYTES = 128 * 2 ** 20;

/** Serves the node's gRPC services, without TLS, on a separate port; off by default. */
@Injectable()
export class GrpcServer implements OnApplicationBootstrap, OnApplicationShutdown {
  url: string | null = null;
  readonly #server = new Server({
    'grpc.max_receive_message_length': MOST_MESSAGE_BYTES,
    'grpc.max_send_message_length': MOST_MESSAGE_BYTES,
  });

  constructor(
    private readonly settings: DevnetSettings,
    private readonly listener: GrpcListener,
    engine: Engine,
    fullNode: FullNode,
    profiles: NodeProfiles,
    faultyCalls: FaultyCalls,
  ) {
    const node = { engine, fullNode, profiles, faultyCalls };
    const calls = new GrpcCalls(node, (peer) => listener.drop(peer));
    this.#server.addService(serviceDefinition(LedgerService), ledgerService(calls, node));
    this.#server.addService(serviceDefinition(StateService), stateService(calls, node));
    this.#server.addService(
      serviceDefinition(TransactionExecutionService),
      executionService(calls, node),
    );
  }

  async onApplicationBootstrap(): Promise<void> {
    const { host, grpcPort } = this.settings.config;
    if (grpcPort === null) return;
    const injector = this.#server.createConnectionInjector(ServerCredentials.createInsecure());
    this.url = await this.listener.listen(host, grpcPort, (socket) =>
      injector.injectConnection(socket),
    );
  }

  async onApplicationShutdown(): Promise<void> {
    this.#server.forceShutdown();
    await this.listener.close();
  }
}
