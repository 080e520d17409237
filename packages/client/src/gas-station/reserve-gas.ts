import {
  callGasStation,
  type CallOptions,
  MAX_RESENDS_OF_RESERVATIONS,
} from './call-gas-station.js';
import type { Reservation } from './gateway-results.js';
import { readResult } from './read-fields.js';
import type { GasStationConnection } from './gas-station-connection.js';

export interface ReserveRequest {
  /** In the ledger's smallest unit, 1 to 1999999999. */
  readonly gasBudget: number;
  /** How long the coins stay reserved, 1 to 600 seconds. */
  readonly durationSecs: number;
}

/** `POST /v1/reserve_gas`. Throws `GasStationError`. */
export function reserveGas(
  connection: GasStationConnection,
  { gasBudget, durationSecs }: ReserveRequest,
  options?: CallOptions,
): Promise<Reservation> {
  return callGasStation(
    connection,
    {
      path: '/v1/reserve_gas',
      body: { gas_budget: gasBudget, reserve_duration_secs: durationSecs },
      maxResends: MAX_RESENDS_OF_RESERVATIONS,
      read: readReservation,
    },
    options,
  );
}

function readReservation(text: string): Reservation {
  const reservation = readResult<Reservation>(text, {
    reservationId: 'number',
    sponsorAddress: 'string',
    gasCoins: 'object',
  });
  if (!Array.isArray(reservation.gasCoins)) throw new TypeError('gasCoins must be a list');
  return reservation;
}
