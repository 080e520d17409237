import { callGasStation, type CallOptions } from './call-gas-station.js';
import type { GasStationConnection } from './gas-station-connection.js';
import { readNested, readResult } from './read-fields.js';

export type UsageKey =
  'day' | 'hour' | 'token' | 'user' | 'sender' | 'sponsor' | 'package' | 'function';

export interface UsageRequest {
  /** The earliest and the latest time of creation, in ms since 1970; by default the current month in UTC. */
  readonly from?: number;
  readonly to?: number;
  /** The keys of which each combination has a row; by default one row has all. */
  readonly groupBy?: readonly UsageKey[];
  readonly token?: string;
  readonly user?: string;
  readonly sender?: string;
  readonly sponsor?: string;
}

export interface UsageFigures {
  /** Executed on the ledger. */
  readonly transactions: number;
  /** Those among them that failed there. */
  readonly failed: number;
  readonly refused: number;
  /** Net, in the ledger's smallest unit. */
  readonly gas: bigint;
}

/** The figures of one group; days are `2026-11-25` and hours `2026-11-25T13`, in UTC. */
export type UsageRow = UsageFigures & { readonly [Key in UsageKey]?: string };

export interface UsageReport {
  readonly from: number;
  readonly to: number;
  readonly groupBy: readonly UsageKey[];
  readonly rows: readonly UsageRow[];
  /** Counts each transaction once, also one that has rows of several packages or functions. */
  readonly total: UsageFigures;
}

const AMOUNTS = new Set(['gas']);

/** `GET /v1/usage`. Throws `GasStationError`. */
export function readUsage(
  connection: GasStationConnection,
  { groupBy, ...filters }: UsageRequest = {},
  options?: CallOptions,
): Promise<UsageReport> {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...filters, group_by: groupBy?.join(',') })) {
    if (value !== undefined && value !== '') query.set(name, String(value));
  }
  const path = `/v1/usage?${query.toString()}`;
  return callGasStation(connection, { path, read }, options);
}

function read(text: string): UsageReport {
  readResult<UsageReport>(text, { rows: 'object', total: 'object' });
  return readNested((JSON.parse(text) as { result: unknown }).result, AMOUNTS) as UsageReport;
}
