import type { RequestType, Waiter } from '@forecourt/contracts';
import {
  type CoinStoreRedis,
  escapeText,
  readEscaped,
  runScript,
} from '../scripts/prepare-coin-store.js';

/** Names one claim of a sponsor's reservation. */
export interface BegunClaim {
  readonly reservationId: number;
  readonly digest: string;
  readonly fence: number;
}

/** Names one claim, in the same form as its job. */
export interface InFlight extends BegunClaim {
  readonly sponsor: string;
}

/** The arguments by which a script knows a claim. */
export function writeClaimName({ reservationId, digest, fence }: BegunClaim) {
  return [reservationId, escapeText(digest), fence] as const;
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

/** Stored form of a waiter: `gateway|type`. */
export function writeWaiter(waiter: Waiter): string {
  return escapeText(`${waiter.gateway}|${waiter.requestType}`);
}

/** Reads a list of waiters, comma-separated. */
export function readWaiters(text: string): Waiter[] {
  if (text === '') return [];
  return text.split(',').map((waiter) => {
    const [gateway = '', requestType] = readEscaped(waiter).split('|');
    return { gateway, requestType: requestType as RequestType };
  });
}
