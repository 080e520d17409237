import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ReplicaIdentity } from '@forecourt/runtime/service';
import { RequestAdmission } from './access/request-admission.js';
import { requireDeclaredRoutes } from './access/route-declaration.js';
import { CompatibilityListener } from './compatibility/compatibility-listener.js';
import { EventsProxy } from './events-proxy/events-proxy.js';
import { RPC_PATH } from './events-proxy/forward-rpc.js';
import type { GatewayConfig } from './gateway-config.js';
import { GATEWAY_CONFIG } from './gateway-config.module.js';
import { allowOrigins } from './http/allow-origins.js';
import { CONSOLE_FOLDER, serveConsole } from './console/serve-console.js';
import { serveOpenapi } from './openapi/serve-openapi.js';
import { RefusalRecorder } from './refusals/refusal-recorder.js';
import { RequestAuthorization } from './access/request-authorization.js';
import { UnansweredRequests } from './http/unanswered-requests.js';
import { ReadBody } from './http/read-body.js';
import { ReadQuery } from './http/read-query.js';
import { showRequestIds } from './http/request-ids.js';
import { refuseEncodedBodies, refuseWithoutHost } from './http/refuse-unserved.js';
import { leaveBodiesToRoutes } from './http/unread-body.js';

/**
 * The steps of every request before its handler, in this order; authorization and admission precede reading
 * the body.
 */
export function configureHttp(app: NestFastifyApplication): void {
  const server = app.getHttpAdapter().getInstance();
  leaveBodiesToRoutes(app);
  requireDeclaredRoutes(server);
  refuseWithoutHost(server);
  allowOrigins(server, app.get<GatewayConfig>(GATEWAY_CONFIG).corsOrigins);
  app.useGlobalPipes(new ReadBody(), new ReadQuery());
  app.get(UnansweredRequests).attachTo(server);
  app.get(RequestAuthorization).attachTo(server);
  refuseEncodedBodies(server, RPC_PATH);
  app.get(RequestAdmission).attachTo(server);
  app.get(RefusalRecorder).attachTo(server);
  showRequestIds(server);
  app.get(EventsProxy).attachTo(app);
  app.get(CompatibilityListener).attachTo(app);
  const { publicUrl } = app.get<GatewayConfig>(GATEWAY_CONFIG);
  serveConsole(server, CONSOLE_FOLDER, publicUrl);
  serveOpenapi(app, { version: app.get(ReplicaIdentity).version, publicUrl });
}
