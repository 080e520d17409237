import { readEscaped } from '@forecourt/contracts';
import { type CoinStoreRedis, runScript } from '../scripts/run-script.js';
import type { BegunClaim } from './claim-names.js';

/** Names one claim, in the same form as its job. */
export interface InFlight extends BegunClaim {
  readonly sponsor: string;
}

export interface InFlightQuery {
  readonly state: 'claimed' | 'executing' | 'quarantined';
  /** Least time since the end of a claim's lease, or since an execution was begun or resumed. */
  readonly olderThanMs: number;
  readonly limit: number;
  readonly skip?: number;
}

/** Claims whose lease has ended, or executions; oldest first. */
export async function listInFlight(
  redis: CoinStoreRedis,
  sponsor: string,
  { state, olderThanMs, limit, skip = 0 }: InFlightQuery,
): Promise<{ readonly listed: readonly InFlight[]; readonly hasMore: boolean }> {
  const reply = await runScript(redis, 'list-in-flight', sponsor, state, olderThanMs, limit, skip);
  const [read, entries] = reply as [number, [string, string, string][]];
  const listed = entries.map(([id, digest, fence]) => ({
    sponsor,
    reservationId: Number(id),
    digest: readEscaped(digest),
    fence: Number(fence),
  }));
  return { listed, hasMore: read === limit };
}
