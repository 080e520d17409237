import {
  findReservation as findInStore,
  isDust,
  type PlacementRules,
  type StoredReservation,
} from '@forecourt/coin-store';
import type {
  FindReservationMessage,
  FindReservationReply,
  FoundReservation,
} from '@forecourt/contracts';
import type { PoolParts } from '../pool/pool-parts.js';
import type { SponsorDirectory } from '../pool/sponsor-directory.js';

/** Shows a caller where its reservation stands. */
export async function findReservation(
  { redis, rules }: PoolParts,
  directory: SponsorDirectory,
  message: FindReservationMessage,
): Promise<FindReservationReply> {
  const sponsor = await directory.sponsorOf(message.reservationId);
  if (sponsor === null) return { found: null, everHeld: false };
  const result = await findInStore(redis, sponsor, message);
  return result.found ? { found: toFound(result.found, rules) } : result;
}

/** Balances stay inside the pool. */
export function toFound(
  { coins, deadlineMs: _inside, ...rest }: StoredReservation,
  rules: PlacementRules,
): FoundReservation {
  const balance = coins.reduce((sum, coin) => sum + coin.balance, 0n);
  return {
    ...rest,
    coins: coins.map(({ objectId, version, digest }) => ({ objectId, version, digest })),
    mayLeaveDust: isDust(balance - BigInt(rest.gasBudget), rules),
  };
}
