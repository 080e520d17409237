import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ServiceState } from '@forecourt/runtime/service';
import type { Authorities } from '../authorization/authenticate.js';
import type { GatewayConfig } from '../gateway-config.js';
import { EventsReplicas } from './events-replicas.js';
import { forwardRpc } from './forward-rpc.js';
import { pipeRpcSockets } from './pipe-rpc-sockets.js';
import { RpcAdmission } from './rpc-admission.js';

const GRACE_MS = 5_000;

/** `/rpc`: the ledger's events, over HTTP and WebSocket, answered by the events service. */
export function serveLedgerEvents(
  app: NestFastifyApplication,
  config: GatewayConfig,
  { tokens }: Authorities,
): void {
  const server = app.getHttpAdapter().getInstance();
  const options = {
    replicas: new EventsReplicas(config.eventsEndpoints),
    timeoutMs: config.eventsTimeoutMs,
    bodyLimitBytes: config.bodyLimitBytes,
    admission: new RpcAdmission(
      {
        perSecond: config.rpcRequestsPerSecond,
        requestsPerClient: config.maxRpcRequestsPerClient,
        requestsInAll: config.maxRpcRequests,
        socketsPerClient: config.maxRpcSocketsPerClient,
        socketsInAll: config.maxRpcSockets,
      },
      config.trustedProxies,
    ),
    ...(config.rpcNeedsToken && {
      callerOf: (authorization: string | undefined) => tokens().callerOf(authorization),
    }),
  };
  forwardRpc(server, options);
  const pipes = pipeRpcSockets(app.getHttpServer(), options);
  let closed: Promise<void> | undefined;
  const close = () => (closed ??= pipes.close(GRACE_MS));
  app.get(ServiceState).onStop(() => void close());
  server.addHook('preClose', close);
}
