import { callGasStation, type CallOptions } from './call-gas-station.js';
import type { GasStationConnection } from './gas-station-connection.js';
import { GasStationError } from './gas-station-error.js';
import type { Sponsorship } from './gateway-results.js';
import { readNested, readResult } from './read-fields.js';

export interface TransactionOptions extends CallOptions {
  /**
   * How long to wait for the end of the transaction, in ms, in addition to the time limit of the call;
   * default 0.
   */
  readonly waitMs?: number | undefined;
}

/** The longest wait of one request. */
const LONGEST_WAIT_MS = 30_000;

/** `GET /v1/sponsorships/{reservation_id}`. Throws `GasStationError`. */
export function readSponsorship(
  connection: GasStationConnection,
  reservationId: number,
  options?: CallOptions,
): Promise<Sponsorship | null> {
  return readOne(connection, `/v1/sponsorships/${reservationId}`, options);
}

/**
 * `GET /v1/transactions/{digest}`, again until the transaction has ended or `waitMs` have passed. Throws
 * `GasStationError`.
 */
export async function readTransaction(
  connection: GasStationConnection,
  digest: string,
  { waitMs = 0, timeoutMs = connection.timeoutMs, ...options }: TransactionOptions = {},
): Promise<Sponsorship | null> {
  if (!(waitMs >= 0)) throw new TypeError(`waitMs must be 0 or above; got ${waitMs}`);
  const path = `/v1/transactions/${encodeURIComponent(digest)}`;
  const endsAt = performance.now() + waitMs;
  for (;;) {
    const left = Math.max(0, Math.min(LONGEST_WAIT_MS, Math.ceil(endsAt - performance.now())));
    const limits = { ...options, timeoutMs: timeoutMs + left };
    const query = left > 0 ? `?wait_ms=${left}` : '';
    const answer = await readOne(connection, `${path}${query}`, limits);
    const isOpen = answer?.status === 'executing' || answer?.status === 'quarantined';
    if (!isOpen || left === 0) return answer;
  }
}

async function readOne(
  connection: GasStationConnection,
  path: string,
  options?: CallOptions,
): Promise<Sponsorship | null> {
  try {
    return await callGasStation(connection, { path, read }, options);
  } catch (error) {
    const isUnknown = error instanceof GasStationError && error.code === 'TRANSACTION_UNKNOWN';
    if (isUnknown) return null;
    throw error;
  }
}

function read(text: string): Sponsorship {
  readResult<{ status: string }>(text, { status: 'string' });
  return readNested((JSON.parse(text) as { result: unknown }).result) as Sponsorship;
}
