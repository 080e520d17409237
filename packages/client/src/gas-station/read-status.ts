import { callGasStation, type CallOptions } from './call-gas-station.js';
import type { GasStationConnection } from './gas-station-connection.js';

export interface GasStationStatus {
  /** Such as `1.0.0-0123456789ab`. */
  readonly version: string;
}

const VERSION = /^"?(\d+\.\d+\.\d+[\w.+-]*)"?$/;

/** `GET /version`, which answers with a JSON string or plain text. Throws `GasStationError`. */
export function readStatus(
  connection: GasStationConnection,
  options?: CallOptions,
): Promise<GasStationStatus> {
  return callGasStation(connection, { path: '/version', read: readVersion }, options);
}

function readVersion(text: string): GasStationStatus {
  const version = VERSION.exec(text.trim())?.[1];
  if (version === undefined) throw new TypeError('it is not a version');
  return { version };
}
