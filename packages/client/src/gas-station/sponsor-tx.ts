import { orAborted, throwIfAborted } from '../calls/delays.js';
import type { CallOptions } from './call-gas-station.js';
import { type ExecutedTransaction, executeTx } from './execute-tx.js';
import type { ExecuteRequest } from './execute-request.js';
import type { GasStationConnection } from './gas-station-connection.js';
import { GasStationError } from './gas-station-error.js';
import { prepareTransaction } from './prepare-transaction.js';
import { releaseUnused } from './release-gas.js';
import { senderOf, signTransaction, type TransactionSigner } from './transaction-signer.js';
import type { TransactionSource } from './transaction-source.js';

export type SponsorRequest = TransactionSource &
  Pick<ExecuteRequest, 'requestType' | 'options'> &
  CallOptions & {
    /** The user who sends and signs the transaction. */
    readonly signer: TransactionSigner;
  };

/**
 * Reserves coins, completes the transaction, gets it signed and executes it. Releases the coins of a
 * transaction that will not be executed. Throws `GasStationError`, with `pending` if the outcome is unknown;
 * the reason of the signal; and the errors of the SDK or the signer.
 */
export async function sponsorTx(
  connection: GasStationConnection,
  request: SponsorRequest,
): Promise<ExecutedTransaction> {
  const { signer, requestType, options, signal, timeoutMs } = request;
  const callOptions = { signal, timeoutMs };
  const prepared = await prepareTransaction(connection, request, senderOf(signer), callOptions);
  const { reservationId, bytes: transaction } = prepared;
  let isSent = false;
  try {
    // Without a time limit, because a person may have to decide.
    const signature = await orAborted(signTransaction(signer, transaction), signal);
    throwIfAborted(signal);
    isSent = true;
    const signed = { reservationId, transaction, signature, requestType, options };
    return await executeTx(connection, signed, callOptions);
  } catch (error) {
    const isRefused = error instanceof GasStationError && error.isRefusal;
    if (!isSent || isRefused) releaseUnused(connection, reservationId);
    throw error;
  }
}
