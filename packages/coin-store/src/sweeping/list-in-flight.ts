import { readEscaped } from '../scripts/escape-text.js';
import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';

/** Names one claim, in the same form as its job. */
export interface InFlight {
  readonly sponsor: string;
  readonly reservationId: number;
  readonly digest: string;
  readonly fence: number;
}

/**
 * Claims whose lease ended, or executions that were last begun or resumed, at least `olderThanMs` ago; oldest
 * first.
 */
export async function listInFlight(
  redis: CoinStoreRedis,
  sponsor: string,
  query: { state: 'claimed' | 'executing' | 'quarantined'; olderThanMs: number; limit: number },
): Promise<InFlight[]> {
  const flat = (await runOnPool(
    redis,
    'list-in-flight',
    sponsor,
    query.state,
    query.olderThanMs,
    query.limit,
  )) as string[];
  const listed: InFlight[] = [];
  for (let i = 0; i < flat.length; i += 3) {
    listed.push({
      sponsor,
      reservationId: Number(flat[i]),
      digest: readEscaped(flat[i + 1]!),
      fence: Number(flat[i + 2]),
    });
  }
  return listed;
}

/** Claims whose lease is over, oldest first. */
export function listOverdueClaims(
  redis: CoinStoreRedis,
  sponsor: string,
  limit: number,
): Promise<InFlight[]> {
  return listInFlight(redis, sponsor, { state: 'claimed', olderThanMs: 0, limit });
}
