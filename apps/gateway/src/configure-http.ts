import { randomUUID } from 'node:crypto';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type Logger, withLogFields } from '@forecourt/runtime/service';
import { authenticate, type Authorities } from './authorization/authenticate.js';
import type { GatewayConfig } from './gateway-config.js';
import { admitRequests } from './http/admit-requests.js';
import { ErrorAnswerFilter } from './http/error-answer.filter.js';
import {
  refuseExpectations,
  refuseUnreadable,
  refuseUnroutable,
} from './http/refuse-unreadable.js';
import { serveLedgerEvents } from './ledger-events/serve-ledger-events.js';

/** Request ids a client may choose: what fits a log line. */
const REQUEST_ID = /^[\w.:-]{1,128}$/;

/** Fastify's options for the public door. */
export function fastifyOptions(config: GatewayConfig) {
  return {
    bodyLimit: config.bodyLimitBytes,
    requestTimeout: config.requestTimeoutMs,
    http: {
      headersTimeout: config.requestTimeoutMs,
      requestTimeout: config.requestTimeoutMs,
      connectionsCheckingInterval: Math.ceil(config.requestTimeoutMs / 4),
      // Looked at below, where the answer says why.
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

/** Tokens before bodies, the events' pass-through, one error mapper, and the request's id on every answer and log line. */
export function configureHttp(
  app: NestFastifyApplication,
  config: GatewayConfig,
  logger: Logger,
  authorities: Authorities,
): void {
  const server = app.getHttpAdapter().getInstance();
  refuseExpectations(app.getHttpServer());
  server.addHook('onRequest', ({ headers, raw }, reply, done) => {
    if (headers.host !== undefined || raw.httpVersion === '1.0') return done();
    void reply.code(400).send({ error: 'The request names no host' });
  });
  authenticate(server, authorities);
  admitRequests(server, config);
  serveLedgerEvents(app, config, authorities);
  server.addHook('preValidation', (request, _reply, done) =>
    withLogFields({ requestId: request.id }, done),
  );
  server.addHook('onSend', (request, reply, _payload, done) => {
    void reply.header('x-request-id', request.id);
    done();
  });
  app.useGlobalFilters(new ErrorAnswerFilter(logger));
}
