import {
  ExecuteTxRequest,
  type ExecuteTxResponse,
  type GasCoinReference,
  ReserveGasRequest,
  type ReserveGasResponse,
} from '@forecourt/contracts';
import { type JsonSchema, schemaNamed } from './json-schema.js';
import { schemaOfBody } from './schema-of-body.js';

const objectId = { type: 'string', pattern: '^0x[0-9a-f]{64}$' };
const digest = { type: 'string', description: 'Base58', minLength: 32, maxLength: 44 };

/** A schema with exactly the fields of a wire type. */
function objectOf<T>(properties: Readonly<Record<keyof T & string, JsonSchema>>): JsonSchema {
  return { type: 'object', required: Object.keys(properties), properties };
}

/** Everything that travels, by name. */
export function schemas(): Record<string, JsonSchema> {
  return {
    ReserveGasRequest: schemaOfBody(ReserveGasRequest, {
      gas_budget: 'What the transaction may cost at most, in the ledger’s smallest unit.',
      reserve_duration_secs: 'How long the coins are kept.',
    }),
    GasCoin: objectOf<GasCoinReference>({ objectId, version: { type: 'integer' }, digest }),
    ReserveGasResponse: objectOf<ReserveGasResponse>({
      result: objectOf<ReserveGasResponse['result']>({
        sponsor_address: { ...objectId, description: 'The gas owner of the transaction.' },
        reservation_id: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
        gas_coins: {
          type: 'array',
          minItems: 1,
          maxItems: 255,
          items: schemaNamed('GasCoin'),
          description: 'The gas payment of the transaction: exactly these.',
        },
      }),
    }),
    ExecuteTxRequest: schemaOfBody(ExecuteTxRequest, {
      reservation_id: 'The reservation whose coins pay.',
      tx_bytes: 'The transaction, BCS in base64.',
      user_sig: 'The sender’s signature: base64 of flag, signature and public key.',
      requestType:
        'Whether to wait until the effects are final, or also until the node that serves reads shows them.',
      request_type: 'The same under the name that some clients send; `requestType` comes first.',
    }),
    Effects: {
      type: 'object',
      description: 'The ledger’s own JSON, every field as the node has it.',
      required: ['status', 'transactionDigest'],
      properties: {
        status: {
          type: 'object',
          required: ['status'],
          properties: {
            status: { type: 'string', enum: ['success', 'failure'] },
            error: { type: 'string' },
          },
        },
        transactionDigest: digest,
      },
    },
    ExecuteTxResponse: objectOf<ExecuteTxResponse>({
      effects: schemaNamed('Effects'),
      error: { type: 'null' },
    }),
    Reloaded: objectOf<{ result: string }>({ result: { const: 'success' } }),
    Error: objectOf<{ error: string }>({ error: { type: 'string' } }),
    JsonRpcCall: {
      type: 'object',
      required: ['jsonrpc', 'method'],
      properties: {
        jsonrpc: { const: '2.0' },
        id: { type: ['string', 'integer', 'null'] },
        method: { type: 'string' },
        params: { type: ['array', 'object'], items: {} },
      },
    },
    JsonRpcAnswer: {
      type: 'object',
      required: ['jsonrpc', 'id'],
      properties: {
        jsonrpc: { const: '2.0' },
        id: { type: ['string', 'integer', 'null'] },
        result: {},
        error: {
          type: 'object',
          required: ['code', 'message'],
          properties: { code: { type: 'integer' }, message: { type: 'string' }, data: {} },
        },
      },
      oneOf: [{ required: ['result'] }, { required: ['error'] }],
    },
    Health: {
      type: 'object',
      required: ['status'],
      properties: { status: { type: 'string' }, details: { type: 'object' } },
    },
  };
}
