import { type ErrorCode, errorTable, rpcFailure } from '@forecourt/contracts';
import { EVENTS_UNREACHABLE } from '../events-proxy/forward-rpc.js';
import { errorAnswers } from './error-answers.js';

const rpcId = { type: ['string', 'integer', 'null'] };

/** The schemas of bodies that no class describes. */
export const undecoratedSchemas = {
  Error: { type: 'object', required: ['error'], properties: { error: { type: 'string' } } },
  Health: {
    type: 'object',
    required: ['status'],
    properties: { status: { type: 'string' }, details: { type: 'object' } },
  },
  JsonRpcCall: {
    type: 'object',
    required: ['jsonrpc', 'method'],
    properties: {
      jsonrpc: { const: '2.0' },
      id: rpcId,
      method: { type: 'string' },
      params: { type: ['array', 'object'], items: {} },
    },
  },
  JsonRpcAnswer: {
    type: 'object',
    required: ['jsonrpc', 'id'],
    properties: {
      jsonrpc: { const: '2.0' },
      id: rpcId,
      result: {},
      error: {
        type: 'object',
        required: ['code', 'message'],
        properties: { code: { type: 'integer' }, message: { type: 'string' }, data: {} },
      },
    },
    oneOf: [{ required: ['result'] }, { required: ['error'] }],
  },
};

const named = (name: keyof typeof undecoratedSchemas) => ({ $ref: `#/components/schemas/${name}` });
const oneOrMany = (schema: object) => ({ anyOf: [schema, { type: 'array', items: schema }] });
const json = (schema: object, example: unknown) => ({ 'application/json': { schema, example } });

function probe(
  operationId: string,
  summary: string,
  description: string,
  codes: readonly ErrorCode[],
) {
  const content = json(named('Health'), { status: 'ok' });
  const responses = { '200': { description: 'Yes.', content }, ...errorAnswers(codes) };
  return { get: { operationId, tags: ['Service'], summary, description, responses } };
}

function rpcAnswer(description: string, code: number, message: string) {
  return { description, content: json(named('JsonRpcAnswer'), rpcFailure(code, message)) };
}

/**
 * Routes without a handler in the gateway: the probes, which all services share, and the proxied JSON-RPC.
 */
export const undecoratedPaths = {
  '/health/live': probe(
    'live',
    'Whether the process answers',
    'An orchestrator restarts a process that does not answer.',
    [],
  ),
  '/health/ready': probe(
    'ready',
    'Whether this gateway is ready for requests',
    'A balancer sends no requests to a gateway that is not ready.',
    ['NOT_READY'],
  ),
  '/health/dependencies': probe(
    'dependencies',
    'Whether Redis, the queue and the ledger answer',
    'Not for balancers: all gateways share these dependencies. The result is kept for three seconds.',
    ['NOT_READY'],
  ),
  '/rpc': {
    post: {
      operationId: 'rpc',
      tags: ['Ledger events'],
      summary: 'Query the ledger’s events (JSON-RPC 2.0)',
      description:
        'The method `rpc.discover` describes the methods. Over a WebSocket at the same path they include subscriptions. A token is needed only where the operator has set `RPC_NEEDS_TOKEN`.',
      security: [{}, { bearer: [] }],
      requestBody: {
        required: true,
        content: json(oneOrMany(named('JsonRpcCall')), {
          jsonrpc: '2.0',
          id: 1,
          method: 'ledger_getEvents',
          params: ['All', null, 2, 'Descending'],
        }),
      },
      responses: {
        '200': {
          description: 'The result, or the error of the call.',
          content: json(oneOrMany(named('JsonRpcAnswer')), {
            jsonrpc: '2.0',
            id: 1,
            result: { data: [], nextCursor: null },
          }),
        },
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
      summary: 'The preflight request of browsers',
      description: 'Every origin may call, as at a public node.',
      responses: { '204': { description: 'The headers that allow the call.' } },
    },
  },
};
