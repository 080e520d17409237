import { randomUUID } from 'node:crypto';
import type { GatewayConfig } from '../gateway-config.js';
import { refuseUnreadable, refuseUnroutable } from './refuse-unreadable.js';

/** Request ids that a client may choose: short ones that cannot break a log line. */
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
