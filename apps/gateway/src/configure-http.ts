import { randomUUID } from 'node:crypto';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { withLogFields } from '@forecourt/runtime/service';
import { RequestAdmission } from './authorization/request-admission.js';
import { RequestAuthorization } from './authorization/request-authorization.js';
import { requireDeclaredRoutes } from './authorization/require-declared-routes.js';
import type { GatewayConfig } from './gateway-config.js';
import { GATEWAY_CONFIG } from './gateway-config.module.js';
import {
  refuseExpectations,
  refuseUnreadable,
  refuseUnroutable,
  refuseWithoutHost,
} from './http/refuse-unreadable.js';
import { leaveOtherBodiesUnread } from './http/unread-body.js';
import { LedgerEventsProxy } from './ledger-events/ledger-events-proxy.js';
import { declareOpenapiRoutes, serveOpenapi } from './openapi/serve-openapi.js';
import { SERVICE_VERSION } from './service-info/service-version.token.js';

/** Request ids a client may choose: what fits a log line. */
const REQUEST_ID = /^[\w.:-]{1,128}$/;

/** Fastify's options for the public endpoint. */
export function fastifyOptions(config: Pick<GatewayConfig, 'bodyLimitBytes' | 'requestTimeoutMs'>) {
  return {
    bodyLimit: config.bodyLimitBytes,
    requestTimeout: config.requestTimeoutMs,
    http: {
      headersTimeout: config.requestTimeoutMs,
      requestTimeout: config.requestTimeoutMs,
      connectionsCheckingInterval: Math.ceil(config.requestTimeoutMs / 4),
      // `refuseWithoutHost` checks it, and answers with the reason.
      requireHostHeader: false,
    },
    clientErrorHandler: refuseUnreadable,
    frameworkErrors: refuseUnroutable,
    genReqId: ({ headers }: { headers: NodeJS.Dict<string | string[]> }) => {
      const given = headers['x-request-id'];
      return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
    },
  };
}

/** What happens to every request, in this order, before a handler: authorization and admission come before the body is read. */
export function configureHttp(app: NestFastifyApplication): void {
  const server = app.getHttpAdapter().getInstance();
  declareOpenapiRoutes(app);
  leaveOtherBodiesUnread(app);
  requireDeclaredRoutes(server);
  refuseExpectations(app.getHttpServer());
  refuseWithoutHost(server);
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
  const { publicUrl } = app.get<GatewayConfig>(GATEWAY_CONFIG);
  serveOpenapi(app, { version: app.get(SERVICE_VERSION), publicUrl });
}
