import { toBase64 } from './transaction-bytes.js';
import { callGasStation, type CallOptions } from './call-gas-station.js';
import { readFields } from './read-fields.js';
import type { GasStationConnection } from './gas-station-connection.js';
import { GasStationError } from './gas-station-error.js';
import type { LedgerJson } from './ledger-json.js';
import type { ExecuteRequest } from './execute-request.js';
import type { TransactionEffects } from './transaction-effects.js';

/**
 * A transaction that the ledger has executed: the gas is spent, even if it failed in Move, which
 * `effects.status.status` tells. The other fields are set if `options` requested them.
 */
export interface ExecutedTransaction {
  /** Base58. */
  readonly digest: string;
  readonly effects: TransactionEffects;
  readonly events?: readonly LedgerJson[];
  readonly objectChanges?: readonly LedgerJson[];
  readonly balanceChanges?: readonly LedgerJson[];
  readonly input?: LedgerJson;
}

interface ExecuteTxAnswer extends Omit<ExecutedTransaction, 'digest'> {
  readonly error?: string | null;
}

/**
 * `POST /v1/execute_tx`. Repeating it is always safe: the same transaction gets the same answer, and is
 * executed once. Throws `GasStationError`, with `pending` if the outcome is unknown.
 */
export async function executeTx(
  connection: GasStationConnection,
  request: ExecuteRequest,
  options?: CallOptions,
): Promise<ExecutedTransaction> {
  const body = {
    reservation_id: request.reservationId,
    tx_bytes: toBase64(request.transaction, 'transaction'),
    user_sig: request.signature,
    request_type: request.requestType,
    options: request.options,
  };
  try {
    return await callGasStation(
      connection,
      {
        path: '/v1/execute_tx',
        body,
        read: readExecutedTransaction,
      },
      options,
    );
  } catch (error) {
    if (error instanceof GasStationError && !error.isRefusal) error.pending = request;
    throw error;
  }
}

function readExecutedTransaction(text: string): ExecutedTransaction {
  const { error, ...executed } = readFields<ExecuteTxAnswer>(JSON.parse(text), {});
  if (error) throw new TypeError(error);
  const { transactionDigest: digest } = readFields<TransactionEffects>(executed.effects, {
    status: 'object',
    transactionDigest: 'string',
  });
  return { ...executed, digest };
}
