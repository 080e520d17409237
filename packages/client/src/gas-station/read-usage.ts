import { callGasStation, type CallOptions } from './call-gas-station.js';
import type { GasStationConnection } from './gas-station-connection.js';
import type { UsageReport } from './gateway-results.js';
import { readNested, readResult } from './read-fields.js';

export type UsageKey = UsageReport['groupBy'][number];

export interface UsageRequest {
  /** The earliest and the latest time of creation, in ms since 1970; by default the current month in UTC. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** The keys of which each combination has a row; by default one row has all. */
  readonly groupBy?: readonly UsageKey[] | undefined;
  readonly token?: string | undefined;
  readonly user?: string | undefined;
  readonly sender?: string | undefined;
  readonly sponsor?: string | undefined;
}

/** `GET /v1/usage`. Throws `GasStationError`. */
export function readUsage(
  connection: GasStationConnection,
  { groupBy, ...filters }: UsageRequest = {},
  options?: CallOptions,
): Promise<UsageReport> {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...filters, group_by: groupBy?.join(',') })) {
    if (value !== undefined && value !== '') query.append(name, String(value));
  }
  const path = `/v1/usage?${query.toString()}`;
  return callGasStation(connection, { path, read }, options);
}

function read(text: string): UsageReport {
  readResult<UsageReport>(text, { rows: 'object', total: 'object' });
  return readNested((JSON.parse(text) as { result: unknown }).result) as UsageReport;
}
