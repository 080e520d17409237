import type { GasStationConnection } from './gas-station-connection.js';
import { releaseGas } from './release-gas.js';

/**
 * Gives the coins of a reservation back that will not be used. Nobody waits for it, and nothing is lost when it fails, as
 * it does at gas stations without this call: the coins return at the reservation's deadline.
 */
export function releaseUnused(connection: GasStationConnection, reservationId: number): void {
  releaseGas(connection, reservationId).catch(() => undefined);
}
