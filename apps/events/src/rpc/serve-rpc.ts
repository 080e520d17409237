import { randomUUID } from 'node:crypto';
import {
  JsonRpcCode,
  JsonRpcError,
  type RpcSockets,
  registerRpcRoute,
  serveRpcSockets,
} from '@forecourt/json-rpc';
import type { Metrics } from '@forecourt/runtime/metrics';
import type { Logger } from '@forecourt/runtime/service';
import type { FastifyInstance } from 'fastify';
import type { EventsConfig } from '../events-config.js';
import { answerCalls } from './answer-calls.js';
import { measureCalls } from '../metrics/measure-calls.js';
import { createMethodTable, type RpcParts } from './method-table.js';
import { takeLeave } from './take-leave.js';

const PATH = '/rpc';

export interface RpcService {
  readonly parts: RpcParts;
  readonly config: EventsConfig;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Serves the methods at `/rpc`: POST and WebSocket. */
export function serveRpc(
  server: FastifyInstance,
  { parts, config, logger, metrics }: RpcService,
): RpcSockets {
  const methods = createMethodTable(['ledger', ...config.methodAliases]);
  const call = measureCalls(metrics, [...methods.keys()], answerCalls(parts, methods));
  const onInternalError = (error: unknown, method: string) => {
    const incident = randomUUID();
    logger.error({ incident, method, error: (error as Error)?.stack }, 'a call failed');
    return incident;
  };
  const { maxBatch, maxAnswerBytes, maxPendingCalls } = config;
  const answering = { path: PATH, maxBatch, maxAnswerBytes, maxPendingCalls, onInternalError };
  const clients = parts.served;
  const { bodyLimitBytes, maxConnections, pingIntervalMs } = config;
  registerRpcRoute(server, call, { ...answering, bodyLimitBytes, clients });
  return serveRpcSockets(server.server, call, {
    ...answering,
    maxMessageBytes: bodyLimitBytes,
    maxConnections,
    pingIntervalMs,
    clients,
    onShed: (connection) => parts.clients.endAll(shed(), connection),
    maxBufferedBytes: config.maxBufferedBytes,
    onHalfClosed: (connection) => takeLeave(parts.clients, connection),
  });
}

function shed(): JsonRpcError {
  return new JsonRpcError(
    JsonRpcCode.slowConsumer,
    'Subscription ended: the service holds too much for this client; read faster or subscribe to less, and go on after the last event seen',
  );
}
