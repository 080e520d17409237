import type { ErrorCode } from '@forecourt/contracts';
import { jsonAnswer, jsonBody } from './answer.js';
import { errorAnswers } from './error-answers.js';
import { type JsonSchema, schemaNamed } from './json-schema.js';

const RESERVATION = 487777254309888;
const COIN = {
  objectId: `0x${'5e1f'.repeat(16)}`,
  version: 3,
  digest: '8Qq3Vb6pA2L7o1d8b9nZ4mX5cY6tR7wE8sU9iK1jHgFd',
};
const DIGEST = '5Zu9k2yqkC6Nwn1ZqKZf1Yb1PpVY5qk8G2bVqW8tE4cC';

/** Every operation that reads a body can fail in these. */
const READING: readonly ErrorCode[] = [
  ...(['INVALID_REQUEST', 'INVALID_AUTHORIZATION_TOKEN', 'PAYLOAD_TOO_LARGE'] as const),
  ...(['FORBIDDEN', 'RATE_LIMITED', 'OVERLOADED', 'STORE_UNREACHABLE', 'INTERNAL'] as const),
];
const bearer = [{ bearer: [] }];

/** Reserving gas and executing with it. */
export const sponsoringPaths: Readonly<Record<string, JsonSchema>> = {
  '/v1/reserve_gas': {
    post: {
      operationId: 'reserveGas',
      tags: ['Sponsoring'],
      summary: 'Reserve coins for a budget and a time',
      description:
        'The application builds the transaction with `sponsor_address` as gas owner and exactly `gas_coins` as payment, and has its user sign it.',
      security: bearer,
      requestBody: jsonBody(schemaNamed('ReserveGasRequest'), {
        gas_budget: 10_000_000,
        reserve_duration_secs: 60,
      }),
      responses: {
        '200': jsonAnswer('Reserved until the time is over.', schemaNamed('ReserveGasResponse'), {
          result: {
            sponsor_address: `0x${'a0'.repeat(32)}`,
            reservation_id: RESERVATION,
            gas_coins: [COIN],
          },
        }),
        ...errorAnswers([...READING, 'NO_COINS', 'POOL_REFUSED', 'RESERVATION_LIMIT']),
      },
    },
  },
  '/v1/execute_tx': {
    post: {
      operationId: 'executeTx',
      tags: ['Sponsoring'],
      summary: 'Execute a transaction with the coins of a reservation',
      description:
        'The same call again gives the same answer: one submission, one charge. A transaction that failed on the ledger is a 200 whose `effects.status.status` is `failure`: its gas was spent.',
      security: bearer,
      requestBody: jsonBody(schemaNamed('ExecuteTxRequest'), {
        reservation_id: RESERVATION,
        tx_bytes: 'AAAA',
        user_sig: 'AAAA',
        requestType: 'waitForEffectsCert',
      }),
      responses: {
        '200': jsonAnswer('The ledger has executed it.', schemaNamed('ExecuteTxResponse'), {
          effects: { status: { status: 'success' }, transactionDigest: DIGEST },
          error: null,
        }),
        ...errorAnswers([
          ...READING,
          ...(['INVALID_TRANSACTION_BYTES', 'INVALID_SIGNATURE', 'SENDER_IS_SPONSOR'] as const),
          ...(['GAS_OWNER_MISMATCH', 'GAS_PAYMENT_MISMATCH', 'GAS_BUDGET_ABOVE_RESERVED'] as const),
          ...(['GAS_COIN_USED', 'RESERVED_COIN_IS_INPUT', 'TRANSACTION_EXPIRED'] as const),
          ...(['TOO_MANY_OBJECTS', 'GAS_PRICE_TOO_HIGH', 'REFUSED_TOO_OFTEN'] as const),
          ...(['RESERVATION_UNKNOWN', 'RESERVATION_EXPIRED', 'RESERVATION_USED'] as const),
          ...([
            'REFUSED_BY_LEDGER',
            'INPUT_IN_FLIGHT',
            'QUARANTINE_LIMIT',
            'SPENDING_LIMIT',
          ] as const),
          ...(['ACCESS_UNDECIDED', 'OUTCOME_UNKNOWN', 'LEDGER_UNREACHABLE'] as const),
          'POOL_REFUSED',
        ]),
      },
    },
  },
};
