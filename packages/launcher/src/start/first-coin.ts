import type { GasStation } from '@forecourt/client';

const SMALLEST_BUDGET = 1;
/** A coin-pool on a busy network takes this long to split the first coins. */
const TIMEOUT_MS = 90_000;

/**
 * Waits until a coin can be reserved, and releases it again. Services are ready before the pool of a new ledger has its first
 * coin. Throws `GasStationError`, and the reason of `signal`.
 */
export async function awaitFirstCoin(station: GasStation, signal: AbortSignal): Promise<void> {
  const request = { gasBudget: SMALLEST_BUDGET, durationSecs: 10 };
  const { reservationId } = await station.reserve(request, { signal, timeoutMs: TIMEOUT_MS });
  await station.release(reservationId, { signal });
}
