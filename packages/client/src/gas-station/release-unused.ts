import type { GasStationConnection } from './gas-station-connection.js';
import { releaseGas } from './release-gas.js';

/**
 * Releases the coins of a reservation that will not be used, without waiting. Nothing is lost if this fails, as it does at
 * gas stations without this call: the coins return at the reservation's deadline.
 */
export function releaseUnused(connection: GasStationConnection, reservationId: number): void {
  releaseGas(connection, reservationId).catch(() => undefined);
}
