import {
  callGasStation,
  type CallOptions,
  MAX_RESENDS_OF_RESERVATIONS,
} from './call-gas-station.js';
import { readResult } from './read-fields.js';
import type { GasStationConnection } from './gas-station-connection.js';
import { GasStationError } from './gas-station-error.js';
import { isSponsored } from './is-sponsored.js';
import { toBytes, inBody, type UnpaidTransaction } from './transaction-bytes.js';

/**
 * The input that the gas station completes: a `TransactionKind`, with which the answer is compared; or a
 * transaction whose gas it replaces. The answer is not compared with such a transaction, so check it before a
 * user signs it.
 */
export type BuildRequest = {
  readonly sender: string;
  /** Absent: the gas station determines it with a dry run. */
  readonly gasBudget?: number | undefined;
  /** How long the coins stay reserved, 1 to 600 seconds. Absent: the gas station chooses. */
  readonly durationSecs?: number | undefined;
} & UnpaidTransaction;

/** A transaction that only lacks the sender's signature. */
export interface BuiltTransaction {
  readonly bytes: Uint8Array;
  /** Base58. */
  readonly digest: string;
  readonly reservationId: number;
  readonly gasBudget: number;
  readonly sponsorAddress: string;
  /** When the reservation ends, in milliseconds since 1970. */
  readonly expiresAt: number;
}

interface BuildTxResult extends Omit<BuiltTransaction, 'bytes'> {
  readonly txBytes: string;
}

/**
 * `POST /v1/build_tx`. Throws `GasStationError`: with the code `BUILT_OTHER_TRANSACTION` if the answer is not
 * the requested kind of the requested sender, paid for by the sponsor it names.
 */
export async function buildTx(
  connection: GasStationConnection,
  request: BuildRequest,
  options?: CallOptions,
): Promise<BuiltTransaction> {
  const { sender, gasBudget, durationSecs } = request;
  const body = {
    sender,
    ...inBody(request),
    gas_budget: gasBudget,
    reserve_duration_secs: durationSecs,
  };
  const built = await callGasStation(
    connection,
    {
      path: '/v1/build_tx',
      body,
      maxResends: MAX_RESENDS_OF_RESERVATIONS,
      read: readBuiltTransaction,
    },
    options,
  );
  if ('kind' in request) {
    const kind = toBytes(request.kind, 'kind');
    if (!isSponsored(built.bytes, { kind, sender, sponsor: built.sponsorAddress })) {
      throw new GasStationError(
        'BUILT_OTHER_TRANSACTION',
        'The gas station built another transaction; do not sign it',
      );
    }
  }
  return built;
}

function readBuiltTransaction(text: string): BuiltTransaction {
  const { txBytes, ...built } = readResult<BuildTxResult>(text, {
    txBytes: 'string',
    reservationId: 'number',
    sponsorAddress: 'string',
  });
  return { ...built, bytes: toBytes(txBytes, 'txBytes') };
}
