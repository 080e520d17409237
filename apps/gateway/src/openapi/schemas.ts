import {
  BuildTxRequest,
  type BuildTxResponse,
  DryRunTxRequest,
  type DryRunTxResponse,
  ExecuteTxOptions,
  ExecuteTxRequest,
  type ExecuteTxResponse,
  type GasCoinReference,
  type Pause,
  PauseRequest,
  type PausesResponse,
  type PreviewedLimit,
  ReleaseGasRequest,
  type ReleaseGasResponse,
  ReserveGasRequest,
  type ReserveGasResponse,
  ResumeRequest,
} from '@forecourt/contracts';
import { inspectionSchemas } from './inspection-schemas.js';
import {
  decimal,
  digest,
  exclusive,
  type JsonSchema,
  objectId,
  objectOf,
  reservationId,
  schemaNamed,
} from './json-schema.js';
import { schemaOfBody } from './schema-of-body.js';
import { sponsorSchemas } from './sponsor-schemas.js';

const base64 = { type: 'string', contentEncoding: 'base64' };
const SPONSOR = 'The sponsor that is to pay, if the token may choose one; absent: the first.';

const pauseScope = {
  sponsor_address: 'A sponsor; with neither this nor `token`, everything.',
  token: 'The name of a token.',
};

const unpaidTransaction = {
  sender: 'The user’s address.',
  kind_bytes:
    'What the transaction does: BCS of `TransactionKind` in base64. Exactly one of this and `tx_bytes` is given.',
  tx_bytes: 'A transaction whose gas data are not used: BCS of `TransactionData` in base64.',
  gas_budget:
    'What it may cost at most, not less than the ledger’s minimum; absent: what a dry run suggests.',
  sponsor_address: SPONSOR,
};

const ledgerJson = { type: 'array', items: {}, description: 'In the ledger’s own JSON.' };

type DryRunResult = DryRunTxResponse['result'];
const dryRunResult = objectOf<DryRunResult>({
  sponsored: objectOf<DryRunResult['sponsored']>({
    allowed: {
      type: ['boolean', 'null'],
      description: 'Null: a hook decides when the transaction is executed.',
    },
    rule: { type: ['string', 'null'], description: 'The access rule that decides.' },
    reason: { type: ['string', 'null'] },
    limits: {
      type: 'array',
      items: objectOf<PreviewedLimit>({
        counts: { type: 'string', enum: ['gas', 'requests'] },
        used: decimal,
        amount: decimal,
        limit: decimal,
        remaining: decimal,
        window_secs: { type: 'number' },
      }),
    },
  }),
  execution: objectOf<DryRunResult['execution']>({
    status: { type: 'string', enum: ['success', 'failure'] },
    error: { type: ['string', 'null'] },
  }),
  gas: objectOf<DryRunResult['gas']>({
    computation_cost: decimal,
    storage_cost: decimal,
    storage_rebate: decimal,
    net_cost: decimal,
    suggested_budget: { type: 'integer' },
  }),
  balance_changes: ledgerJson,
  object_changes: ledgerJson,
  events: ledgerJson,
});

/** Schemas of all bodies, by name. */
export function schemas(): Record<string, JsonSchema> {
  return {
    ReserveGasRequest: schemaOfBody(ReserveGasRequest, {
      gas_budget: 'What the transaction may cost at most, in the ledger’s smallest unit.',
      reserve_duration_secs: 'How long the coins are kept.',
      sponsor_address: SPONSOR,
    }),
    GasCoin: objectOf<GasCoinReference>({ objectId, version: { type: 'integer' }, digest }),
    ReserveGasResponse: objectOf<ReserveGasResponse>({
      result: objectOf<ReserveGasResponse['result']>({
        sponsor_address: { ...objectId, description: 'The gas owner of the transaction.' },
        reservation_id: reservationId,
        gas_coins: {
          type: 'array',
          minItems: 1,
          maxItems: 255,
          items: schemaNamed('GasCoin'),
          description: 'The gas payment of the transaction: exactly these.',
        },
      }),
    }),
    ReleaseGasRequest: schemaOfBody(ReleaseGasRequest, {
      reservation_id: 'The reservation to give back.',
    }),
    ReleaseGasResponse: objectOf<ReleaseGasResponse>({
      result: objectOf<ReleaseGasResponse['result']>({ released: { type: 'boolean' } }),
    }),
    DryRunTxRequest: exclusive(
      schemaOfBody(DryRunTxRequest, unpaidTransaction),
      ['kind_bytes', 'tx_bytes'],
      true,
    ),
    DryRunTxResponse: objectOf<DryRunTxResponse>({ result: dryRunResult }),
    BuildTxRequest: exclusive(
      schemaOfBody(BuildTxRequest, {
        ...unpaidTransaction,
        reserve_duration_secs: 'How long the coins are kept; 60 seconds if absent.',
      }),
      ['kind_bytes', 'tx_bytes'],
      true,
    ),
    BuildTxResponse: objectOf<BuildTxResponse>({
      result: objectOf<BuildTxResponse['result']>({
        tx_bytes: { ...base64, description: 'What the user signs: BCS in base64.' },
        digest,
        reservation_id: reservationId,
        gas_budget: { type: 'integer' },
        sponsor_address: objectId,
        expires_at: { type: 'integer', description: 'Milliseconds since 1970.' },
      }),
    }),
    ExecuteTxRequest: schemaOfBody(ExecuteTxRequest, {
      reservation_id: 'The reservation whose coins pay.',
      tx_bytes: 'The transaction, BCS in base64.',
      user_sig: 'The sender’s signature: base64 of flag, signature and public key.',
      requestType:
        'Whether to wait until the effects are final, or also until the node that serves reads shows them.',
      request_type:
        'The same under the name that some clients send; `requestType` takes precedence.',
      options: 'What to return besides the effects.',
    }),
    ExecuteTxOptions: schemaOfBody(ExecuteTxOptions, {
      showEvents: 'Return `events`.',
      showObjectChanges: 'Return `object_changes`.',
      showBalanceChanges: 'Return `balance_changes`.',
      showInput: 'Return `input`.',
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
    ExecuteTxResponse: {
      ...objectOf<Pick<ExecuteTxResponse, 'effects' | 'error'>>({
        effects: schemaNamed('Effects'),
        error: { type: 'null' },
      }),
      description:
        'With `options` also `events`, `object_changes`, `balance_changes` and `input`, each in the ledger’s own JSON, or null while the node that serves reads does not show the transaction.',
    },
    PauseRequest: exclusive(
      schemaOfBody(PauseRequest, { ...pauseScope, reason: 'Told to callers.' }),
      ['sponsor_address', 'token'],
      false,
    ),
    ResumeRequest: exclusive(
      schemaOfBody(ResumeRequest, pauseScope),
      ['sponsor_address', 'token'],
      false,
    ),
    PausesResponse: objectOf<PausesResponse>({
      result: objectOf<PausesResponse['result']>({
        paused: {
          type: 'array',
          items: objectOf<Pause>({
            scope: { type: 'string' },
            reason: { type: 'string' },
            by: { type: 'string', description: 'Name of the operator’s token.' },
            since: { type: 'integer', description: 'Milliseconds since 1970.' },
          }),
        },
      }),
    }),
    ...inspectionSchemas(),
    ...sponsorSchemas(),
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
