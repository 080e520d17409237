import { createServer } from 'node:http2';
import {
  LedgerService,
  MovePackageService,
  StateService,
  TransactionExecutionService,
} from '@forecourt/ledger/node-messages';
import {
  type BeforeApplicationShutdown,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { DevnetSettings } from '../devnet-settings.js';
import { Engine } from '../engine/engine.js';
import { FullNode } from '../engine/full-node.js';
import { FaultyCalls } from '../faults/faulty-calls.js';
import { GrpcListener } from '../http/grpc-listener.js';
import { NodeProfiles } from '../node/node-profiles.js';
import { executionService } from './execution-service.js';
import { GrpcCalls } from './grpc-calls.js';
import { IncomingCall } from './incoming-call.js';
import { ledgerService } from './ledger-service.js';
import { movePackageService } from './move-package-service.js';
import { stateService } from './state-service.js';

/** Serves the node's gRPC services, without TLS, on a separate port; off by default. */
@Injectable()
export class GrpcServer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  url: string | null = null;
  // One connection carries any number of calls.
  readonly #server = createServer({ maxSessionMemory: Number.MAX_SAFE_INTEGER });

  constructor(
    private readonly settings: DevnetSettings,
    private readonly listener: GrpcListener,
    engine: Engine,
    fullNode: FullNode,
    profiles: NodeProfiles,
    faultyCalls: FaultyCalls,
  ) {
    const node = { engine, fullNode, profiles, faultyCalls };
    const { faults } = faultyCalls;
    faults.onChange(() => {
      listener.collectsPackets = faults.peek('nagle') !== null;
    });
    const calls = new GrpcCalls(node, (peer) => listener.drop(peer));
    calls.add(LedgerService, ledgerService(node));
    calls.add(MovePackageService, movePackageService(node));
    calls.add(StateService, stateService(node));
    calls.add(TransactionExecutionService, executionService(node));
    this.#server.on('stream', (stream, headers) => {
      void calls.serve(new IncomingCall(stream, headers));
    });
    // A broken connection ends its calls; there is nothing else to do about it.
    this.#server.on('sessionError', () => undefined);
  }

  async onApplicationBootstrap(): Promise<void> {
    const { host, grpcPort } = this.settings.config;
    if (grpcPort === null) return;
    this.url = await this.listener.listen(host, grpcPort, (socket) =>
      this.#server.emit('connection', socket),
    );
  }

  /** A node that stops sends no GOAWAY: its callers lose their connections. */
  beforeApplicationShutdown(): Promise<void> {
    return this.listener.close();
  }
}
