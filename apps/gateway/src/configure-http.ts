import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ReplicaIdentity, withLogFields } from '@forecourt/runtime/service';
import { RequestAdmission } from './access/request-admission.js';
import { RequestAuthorization } from './access/request-authorization.js';
import { requireDeclaredRoutes } from './access/route-declaration.js';
import { CompatibilityListener } from './compatibility/compatibility-listener.js';
import type { GatewayConfig } from './gateway-config.js';
import { GATEWAY_CONFIG } from './gateway-config.module.js';
import { allowOrigins } from './http/allow-origins.js';
import { ReadBody } from './http/read-body.pipe.js';
import { refuseExpectations, refuseWithoutHost } from './http/refuse-unreadable.js';
import { UnansweredRequests } from './http/unanswered-requests.js';
import { leaveOtherBodiesUnread } from './http/unread-body.js';
import { LedgerEventsProxy } from './ledger-events/ledger-events-proxy.js';
import { serveOpenapi } from './openapi/serve-openapi.js';

/** The steps before every handler, in this order; authorization and admission precede the reading of the body. */
export function configureHttp(app: NestFastifyApplication): void {
  const server = app.getHttpAdapter().getInstance();
  leaveOtherBodiesUnread(app);
  requireDeclaredRoutes(server);
  refuseExpectations(app.getHttpServer());
  refuseWithoutHost(server);
  allowOrigins(server, app.get<GatewayConfig>(GATEWAY_CONFIG).corsOrigins);
  app.useGlobalPipes(new ReadBody());
  app.get(UnansweredRequests).attachTo(server);
  app.get(RequestAuthorization).attachTo(server);
  app.get(RequestAdmission).attachTo(server);
  server.addHook('preValidation', (request, _reply, done) =>
    withLogFields({ requestId: request.id }, done),
  );
  server.addHook('onSend', (request, reply, _payload, done) => {
    void reply.header('x-request-id', request.id);
    done();
  });
  app.get(LedgerEventsProxy).attachTo(app);
  app.get(CompatibilityListener).attachTo(app);
  const { publicUrl } = app.get<GatewayConfig>(GATEWAY_CONFIG);
  serveOpenapi(app, { version: app.get(ReplicaIdentity).version, publicUrl });
}
