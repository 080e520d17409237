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

/**
 * Claims whose lease ended, or executions that were last begun or resumed, at least `olderThanMs` ago; oldest
 * first.
 */
export async function listInFlight(
  redis: CoinStoreRedis,
  sponsor: string,
  query: { state: 'claimed' | 'executing' | 'quarantined'; olderThanMs: number; limit: number },
): Promise<InFlight[]> {
  const args = [query.state, query.olderThanMs, query.limit];
  const listed = await runScript(redis, 'list-in-flight', sponsor, ...args);
  return (listed as [string, string, string][]).map(([id, digest, fence]) => ({
    sponsor,
    reservationId: Number(id),
    digest: readEscaped(digest),
    fence: Number(fence),
  }));
}

/** Claims whose lease is over, oldest first. */
export function listOverdueClaims(
  redis: CoinStoreRedis,
  sponsor: string,
  limit: number,
): Promise<InFlight[]> {
  return listInFlight(redis, sponsor, { state: 'claimed', olderThanMs: 0, limit });
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
