import { Inject, Injectable } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ServiceState } from '@forecourt/runtime/service';
import { AccessPolicy } from '../access/access-policy.js';
import type { GatewayConfig } from '../gateway-config.js';
import { GATEWAY_CONFIG } from '../gateway-config.module.js';
import { forwardRpc } from './forward-rpc.js';
import { pipeRpcSockets } from './pipe-rpc-sockets.js';
import { RpcAdmission } from './rpc-admission.js';
import { RoundRobin } from '../replicas/round-robin.js';

const GRACE_MS = 5_000;

/** `/rpc`: the ledger's events, over HTTP and WebSocket, answered by the events service. */
@Injectable()
export class EventsProxy {
  constructor(
    @Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig,
    private readonly accessPolicy: AccessPolicy,
    private readonly state: ServiceState,
  ) {}

  attachTo(app: NestFastifyApplication): void {
    const { config, accessPolicy } = this;
    const server = app.getHttpAdapter().getInstance();
    const options = {
      replicas: new RoundRobin(config.eventsEndpoints),
      timeoutMs: config.eventsTimeoutMs,
      bodyLimitBytes: config.bodyLimitBytes,
      admission: new RpcAdmission(
        {
          perSecond: config.rpcRequestsPerSecond,
          requestsInAll: config.maxRpcRequests,
          socketsInAll: config.maxRpcSockets,
        },
        config.trustedProxies,
      ),
      ...(config.rpcNeedsToken && { access: accessPolicy }),
    };
    forwardRpc(server, options);
    const pipes = pipeRpcSockets(app.getHttpServer(), options);
    let closed: Promise<void> | undefined;
    const close = () => (closed ??= pipes.close(GRACE_MS));
    this.state.onStop(() => void close());
    server.addHook('preClose', close);
  }
}
