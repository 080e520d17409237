import { errorTable } from '@forecourt/contracts';
import { rpcFailure } from '@forecourt/json-rpc';
import { errorAnswers } from './error-answers.js';
import { jsonAnswer, jsonBody } from './json-content.js';
import { EVENTS_UNREACHABLE } from '../events-proxy/forward-rpc.js';
import { type JsonSchema, schemaNamed } from './json-schema.js';

const bearer = [{ bearer: [] }];

interface Operation {
  readonly operationId: string;
  readonly requestBody?: JsonSchema;
  readonly responses: JsonSchema;
  readonly [field: string]: unknown;
}

/** Routes without a handler in the gateway: the probes, which all services share, and what is forwarded. */
export const undecoratedPaths: Readonly<Record<string, Record<string, Operation>>> = {
  '/health/live': {
    get: {
      operationId: 'live',
      tags: ['Service'],
      summary: 'Whether the process answers',
      description: 'An orchestrator restarts a process that does not answer.',
      responses: { '200': jsonAnswer('It does.', schemaNamed('Health'), { status: 'ok' }) },
    },
  },
  '/health/ready': {
    get: {
      operationId: 'ready',
      tags: ['Service'],
      summary: 'Whether this gateway is ready for requests',
      description: 'A balancer sends no requests to a gateway that is not ready.',
      responses: {
        '200': jsonAnswer('It is.', schemaNamed('Health'), {
          status: 'ok',
          details: { process: { status: 'up' } },
        }),
        ...errorAnswers(['NOT_READY']),
      },
    },
  },
  '/health/dependencies': {
    get: {
      operationId: 'dependencies',
      tags: ['Service'],
      summary: 'Whether Redis, the queue and the ledger answer',
      description:
        'Not for balancers: all gateways share these dependencies. The result is kept for three seconds.',
      responses: {
        '200': jsonAnswer('They do.', schemaNamed('Health'), {
          status: 'ok',
          details: { redis: { status: 'up' } },
        }),
        ...errorAnswers(['NOT_READY']),
      },
    },
  },
  '/rpc': {
    post: {
      operationId: 'rpc',
      tags: ['Ledger events'],
      summary: 'Query the ledger’s events (JSON-RPC 2.0)',
      description:
        'The method `rpc.discover` describes the methods. Over a WebSocket at the same path they include subscriptions. A token is needed only where the operator has set `RPC_NEEDS_TOKEN`.',
      security: [{}, ...bearer],
      requestBody: jsonBody(
        {
          anyOf: [schemaNamed('JsonRpcCall'), { type: 'array', items: schemaNamed('JsonRpcCall') }],
        },
        {
          jsonrpc: '2.0',
          id: 1,
          method: 'ledger_getEvents',
          params: ['All', null, 2, 'Descending'],
        },
      ),
      responses: {
        '200': jsonAnswer(
          'The result, or the error of the call.',
          {
            anyOf: [
              schemaNamed('JsonRpcAnswer'),
              { type: 'array', items: schemaNamed('JsonRpcAnswer') },
            ],
          },
          { jsonrpc: '2.0', id: 1, result: { data: [], nextCursor: null } },
        ),
        '204': { description: 'There were only notifications.' },
        '413': rpcAnswer('The body is too large.', -32701, 'Request body is too large'),
        '429': rpcAnswer(
          'Too many requests come from the client’s address, or are in progress; `Retry-After` says when to try again.',
          -32009,
          errorTable.TOO_MANY_REQUESTS.message,
        ),
        '503': rpcAnswer('No events service is reachable.', -32000, EVENTS_UNREACHABLE),
      },
    },
    options: {
      operationId: 'rpcPreflight',
      tags: ['Ledger events'],
      summary: 'What browsers ask before they call from another origin',
      description: 'Every origin may call, as at a public node.',
      responses: { '204': { description: 'The headers that allow the call.' } },
    },
  },
};

function rpcAnswer(description: string, code: number, message: string): JsonSchema {
  return jsonAnswer(description, schemaNamed('JsonRpcAnswer'), rpcFailure(code, message));
}
