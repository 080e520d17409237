import { buildTx } from './build-tx.js';
import type { CallOptions } from './call-gas-station.js';
import type { GasStationConnection } from './gas-station-connection.js';
import { GasStationError } from './gas-station-error.js';
import { releaseUnused } from './release-gas.js';
import type { Reservation } from './gateway-results.js';
import { reserveGas } from './reserve-gas.js';
import { addressBytes, areEqual, toBytes, type TransactionBytes } from './transaction-bytes.js';
import type {
  BuildableTransaction,
  TransactionBuilder,
  TransactionSource,
} from './transaction-source.js';

/** A transaction that only lacks the sender's signature. */
export interface PreparedTransaction {
  readonly reservationId: number;
  readonly bytes: Uint8Array;
}

const DEFAULT_DURATION_SECS = 60;

/**
 * Reserves coins for a transaction and completes it: here if there is a budget, otherwise at the gas station.
 * Throws `GasStationError`, the reason of the signal, `TypeError` for a function without a budget, and the
 * errors of the SDK or the function.
 */
export async function prepareTransaction(
  connection: GasStationConnection,
  source: TransactionSource,
  sender: string,
  options: CallOptions,
): Promise<PreparedTransaction> {
  const { transaction, client, gasBudget, durationSecs = DEFAULT_DURATION_SECS } = source;
  if (isBytes(transaction)) {
    const kind = transaction;
    return buildTx(connection, { sender, kind, gasBudget, durationSecs }, options);
  }
  if (gasBudget === undefined) {
    if (typeof transaction === 'function') {
      throw new TypeError('gasBudget is missing: a function needs it');
    }
    transaction.setSender(sender);
    const kind = await transaction.build({ client, onlyTransactionKind: true });
    return buildTx(connection, { sender, kind, durationSecs }, options);
  }
  const reservation = await reserveGas(connection, { gasBudget, durationSecs }, options);
  const { reservationId } = reservation;
  try {
    refuseSenderAsSponsor(sender, reservation);
    const bytes =
      typeof transaction === 'function'
        ? await transaction(reservation)
        : await buildWith(reservation, transaction, { sender, gasBudget, client });
    return { reservationId, bytes: toBytes(bytes, 'transaction') };
  } catch (error) {
    releaseUnused(connection, reservationId);
    throw error;
  }
}

function isBytes(
  transaction: BuildableTransaction | TransactionBuilder | TransactionBytes,
): transaction is TransactionBytes {
  return typeof transaction === 'string' || transaction instanceof Uint8Array;
}

/** Otherwise the user's own coins would pay. */
function refuseSenderAsSponsor(sender: string, { sponsorAddress }: Reservation): void {
  const sponsor = addressBytes(sponsorAddress, 'sponsor_address');
  if (areEqual(addressBytes(sender, 'sender'), sponsor)) {
    throw new GasStationError(
      'BUILT_OTHER_TRANSACTION',
      'The gas station named the sender as the sponsor',
    );
  }
}

function buildWith(
  { sponsorAddress, gasCoins }: Reservation,
  transaction: BuildableTransaction,
  gas: { readonly sender: string; readonly gasBudget: number; readonly client: unknown },
): Promise<Uint8Array> {
  transaction.setSender(gas.sender);
  transaction.setGasOwner(sponsorAddress);
  transaction.setGasPayment([...gasCoins]);
  transaction.setGasBudget(gas.gasBudget);
  return transaction.build({ client: gas.client });
}
