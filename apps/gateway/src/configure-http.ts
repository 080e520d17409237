import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type ChargedBodies, findClient, groupsOf } from '@forecourt/admission';
import { ForecourtError, JsonRpcCode, rpcFailure } from '@forecourt/contracts';
import { ReplicaIdentity, withLogFields } from '@forecourt/runtime/service';
import {
  callerIfAny,
  RequestAdmission,
  RequestAuthorization,
  shareOf,
} from './access/request-admission.js';
import { requireDeclaredRoutes } from './access/route-declaration.js';
import { CompatibilityListener } from './compatibility/compatibility-listener.js';
import { EventsProxy } from './events-proxy/events-proxy.js';
import { RPC_PATH } from './events-proxy/forward-rpc.js';
import type { GatewayConfig } from './gateway-config.js';
import { GATEWAY_CONFIG } from './gateway-config.module.js';
import { allowOrigins } from './http/allow-origins.js';
import { answerError, UnansweredRequests } from './http/answer-error.js';
import {
  leaveBodiesToRoutes,
  ReadBody,
  ReadQuery,
  refuseEncodedBodies,
  refuseWithoutHost,
  UNREADABLE,
} from './http/http-requests.js';
import { CONSOLE_FOLDER, serveConsole } from './console/serve-console.js';
import { serveOpenapi } from './openapi/serve-openapi.js';
import { RefusalRecorder } from './refusals/refusal-recorder.js';

const RETRY_AFTER_SECS = 1;

/** The steps of every request before its handler, in this order; authorization and admission precede reading the body. */
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
  server.addHook('preValidation', (request, _reply, done) =>
    withLogFields({ requestId: request.id }, done),
  );
  server.addHook('onSend', (request, reply, _payload, done) => {
    void reply.header('x-request-id', request.id);
    done();
  });
  app.get(EventsProxy).attachTo(app);
  app.get(CompatibilityListener).attachTo(app);
  const { publicUrl } = app.get<GatewayConfig>(GATEWAY_CONFIG);
  serveConsole(server, CONSOLE_FOLDER, publicUrl);
  serveOpenapi(app, { version: app.get(ReplicaIdentity).version, publicUrl });
}

/** Bodies are charged to the token that a request came with, and to the client's address where none is needed. */
export function chargedToCallers({
  trustedProxies,
}: Pick<GatewayConfig, 'trustedProxies'>): Omit<ChargedBodies, 'shares' | 'processor'> {
  return {
    clientOf(request) {
      const caller = callerIfAny(request);
      if (caller !== null) return shareOf(caller);
      return groupsOf(findClient(request.raw, (address) => trustedProxies.includes(address)));
    },
    refuse(reply, reason) {
      const overloaded = new ForecourtError('OVERLOADED');
      const isRpc = reply.request.routeOptions.url === RPC_PATH;
      if (reason === 'too much') {
        if (!isRpc) return answerError(reply, overloaded);
        const failure = rpcFailure(JsonRpcCode.tooManyRequests, overloaded.message);
        return reply.code(429).header('retry-after', RETRY_AFTER_SECS).send(failure);
      }
      const [status, error] = UNREADABLE.ERR_HTTP_REQUEST_TIMEOUT;
      const failure = rpcFailure(JsonRpcCode.invalidRequest, error);
      return reply.code(status).send(isRpc ? failure : { error });
    },
  };
}
