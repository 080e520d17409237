import { callGasStation, type CallOptions } from './call-gas-station.js';
import { readResult } from './read-fields.js';
import type { GasStationConnection } from './gas-station-connection.js';

/**
 * `POST /v1/release_gas`. Resolves with false if the reservation was no longer open: used, expired, unknown,
 * or released before, also by this call when its first answer was lost. Throws `GasStationError`.
 */
export function releaseGas(
  connection: GasStationConnection,
  reservationId: number,
  options?: CallOptions,
): Promise<boolean> {
  return callGasStation(
    connection,
    {
      path: '/v1/release_gas',
      body: { reservation_id: reservationId },
      read: (text) => readResult<{ released: boolean }>(text, { released: 'boolean' }).released,
    },
    options,
  );
}

/**
 * Releases the coins of a reservation that will not be used, without waiting. Nothing is lost if this fails,
 * as it does at gas stations without this call: the coins return at the reservation's deadline.
 */
export function releaseUnused(connection: GasStationConnection, reservationId: number): void {
  releaseGas(connection, reservationId).catch(() => undefined);
}
