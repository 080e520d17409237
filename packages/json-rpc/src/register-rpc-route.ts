import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { type MemoryBudget, type MemoryConsumer, widestGroupOf } from '@forecourt/admission';
import { bodyRefusal } from '@forecourt/contracts';
import { FairBulkhead } from '@forecourt/resilience';
import type { CallMethod } from './call-method.js';
import { HttpReply } from './http-reply.js';
import { ConnectionDropped } from './connection-dropped.js';
import { CLIENT_LEFT, type CallOrigin } from './call-origin.js';
import { ByteCounter } from './byte-counter.js';
import { handleMessage, type MessageOptions, spendTurn } from './handle-message.js';
import { ANY_CLIENT } from './limits/client-limits.js';

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST, OPTIONS',
  'access-control-allow-headers': '*',
  'access-control-max-age': '86400',
};

export interface RpcRouteOptions extends MessageOptions {
  readonly path: string;
  /** Larger bodies get HTTP 413 and -32701. */
  readonly bodyLimitBytes: number;
  /** Calls of one batch that run at once; default 32. */
  readonly maxPendingCalls?: number;
}

const DEFAULT_PENDING_CALLS = 32;
const RETRY_AFTER_SECS = 1;

/**
 * Registers `POST <path>` directly on the HTTP server: on this hot path the framework's work per request
 * would cost more than the call. Browsers may call from any origin, as on a public node.
 */
export function registerRpcRoute(
  server: FastifyInstance,
  call: CallMethod,
  options: RpcRouteOptions,
): void {
  const { path, bodyLimitBytes: bodyLimit, clients } = options;
  const { maxPendingCalls = DEFAULT_PENDING_CALLS } = options;
  // In a separate scope, so that only this route gets the raw body.
  void server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit }, (_request, body, done) =>
      done(null, body),
    );
    scope.options(path, (_request, reply) => reply.headers(CORS).code(204).send());
    scope.post(path, {
      bodyLimit,
      handler: async (request, reply) => {
        const after: (() => void)[] = [];
        try {
          const body = typeof request.body === 'string' ? request.body : '';
          const client = clients?.clientOf(request.raw) ?? ANY_CLIENT;
          const origin = new HttpOrigin(client, reply.raw, maxPendingCalls, clients?.memory);
          origin.memory.add(body.length);
          const afterReply = (next: () => void) => void after.push(next);
          const onRefused = () => void reply.code(429).header('retry-after', RETRY_AFTER_SECS);
          const context = { origin, afterReply, onRefused };
          await clients?.turns.take(origin.turnTaker);
          if (origin.signal.aborted) throw new ConnectionDropped();
          const response = await spendTurn(clients, origin, () =>
            handleMessage(body, call, context, options),
          );
          reply.header('access-control-allow-origin', '*');
          if (response === null) return reply.code(204).send();
          // Counts until the client has read it.
          origin.responses.add(response.length);
          return reply.header('content-type', 'application/json; charset=utf-8').send(response);
        } catch (error) {
          if (!(error instanceof ConnectionDropped)) throw error;
          if (error instanceof HttpReply) {
            return reply
              .code(error.status)
              .header('content-type', error.contentType)
              .send(error.body);
          }
          reply.hijack();
          request.raw.socket.destroy();
          return reply;
        } finally {
          for (const next of after) next();
        }
      },
      errorHandler: (error, _request, reply) => {
        const { statusCode = 500 } = error as { statusCode?: number };
        void reply.code(statusCode).send(bodyRefusal(statusCode, bodyLimit));
      },
    });
  });
}

/** One HTTP request, from the arrival of its body until its response is sent or its client disconnects. */
class HttpOrigin implements CallOrigin, MemoryConsumer {
  readonly #closed = new AbortController();
  readonly memory: ByteCounter;
  readonly responses: ByteCounter;
  readonly slots: FairBulkhead;

  constructor(
    readonly client: string,
    private readonly response: ServerResponse,
    maxPendingCalls: number,
    budget?: MemoryBudget,
  ) {
    this.memory = new ByteCounter((bytes) => budget?.noteAdded(bytes));
    this.responses = new ByteCounter((bytes) => budget?.noteAdded(bytes));
    this.slots = new FairBulkhead(maxPendingCalls, { waiting: Infinity });
    budget?.add(this);
    response.once('close', () => {
      budget?.remove(this);
      this.#closed.abort(CLIENT_LEFT);
    });
  }

  get turnTaker(): string {
    return widestGroupOf(this.client);
  }

  get signal(): AbortSignal {
    return this.#closed.signal;
  }

  get usedBytes(): number {
    return this.memory.bytes + this.responses.bytes;
  }

  shed(): void {
    this.#closed.abort(CLIENT_LEFT);
    this.response.destroy();
  }
}
