import { errorTable } from '@forecourt/contracts';
import { jsonAnswer, jsonBody } from './answer.js';
import { errorAnswers, messageOf } from './error-answers.js';
import { type JsonSchema, schemaNamed } from './json-schema.js';

const bearer = [{ bearer: [] }];
const text = { type: 'string' };
const OK = { const: 'OK' };

/** What tells about the service, and what its operators ask of it. */
export const servicePaths: Readonly<Record<string, JsonSchema>> = {
  '/': {
    get: {
      operationId: 'health',
      tags: ['Service'],
      summary: 'Whether the gateway answers',
      description: 'With `Accept: text/plain` as bare text.',
      responses: { '200': jsonAnswer('It does.', OK, 'OK') },
    },
  },
  '/version': {
    get: {
      operationId: 'version',
      tags: ['Service'],
      summary: 'Which version it is',
      description: 'With `Accept: text/plain` as bare text.',
      responses: {
        '200': jsonAnswer(
          'Version and the first twelve digits of the build’s commit.',
          { ...text, pattern: '^\\d+\\.\\d+\\.\\d+-[0-9a-f]{12}$' },
          '1.0.0-0123456789ab',
        ),
      },
    },
  },
  '/debug_health_check': {
    post: {
      operationId: 'debugHealthCheck',
      tags: ['Service'],
      summary: 'Reserve, sign and ask the ledger, without spending anything',
      security: bearer,
      responses: {
        '200': jsonAnswer('All of it works.', OK, 'OK'),
        ...errorAnswers([
          ...(['NO_COINS', 'POOL_REFUSED', 'LEDGER_UNREACHABLE', 'STORE_UNREACHABLE'] as const),
          'INTERNAL',
        ]),
        '401': jsonAnswer('The bearer token is missing or wrong.', text, messageOf('UNAUTHORIZED')),
      },
    },
  },
  '/v1/reload_access_controller': {
    get: {
      operationId: 'reloadAccessController',
      tags: ['Service'],
      summary: 'Have every gateway read its access rules again',
      security: bearer,
      responses: {
        '200': jsonAnswer('Every gateway has them.', schemaNamed('Reloaded'), {
          result: 'success',
        }),
        ...errorAnswers([
          ...(['ACCESS_RULES_INVALID', 'UNAUTHORIZED', 'ACCESS_RULES_NOT_EVERYWHERE'] as const),
          'INTERNAL',
        ]),
      },
    },
  },
  '/health/live': {
    get: {
      operationId: 'live',
      tags: ['Service'],
      summary: 'Whether the process answers',
      responses: { '200': jsonAnswer('It does.', schemaNamed('Health'), { status: 'ok' }) },
    },
  },
  '/health/ready': {
    get: {
      operationId: 'ready',
      tags: ['Service'],
      summary: 'Whether everything it needs answers',
      responses: {
        '200': jsonAnswer('It does.', schemaNamed('Health'), {
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
        ...errorAnswers(['INVALID_AUTHORIZATION_TOKEN']),
        '413': rpcFailure('The body is too large.', -32701, 'Request body is too large'),
        '429': rpcFailure(
          'Too much comes from the client’s address, or is under way for it; `Retry-After` says when to come again.',
          -32009,
          errorTable.TOO_MANY_REQUESTS.message,
        ),
        '503': rpcFailure(
          'No events service can be reached.',
          -32000,
          'The events service cannot be reached now',
        ),
      },
    },
    options: {
      operationId: 'rpcPreflight',
      tags: ['Ledger events'],
      summary: 'What browsers ask before they call from another origin',
      responses: { '204': { description: 'They may.' } },
    },
  },
};

function rpcFailure(description: string, code: number, message: string): JsonSchema {
  const answer = { jsonrpc: '2.0', id: null, error: { code, message } };
  return jsonAnswer(description, schemaNamed('JsonRpcAnswer'), answer);
}
