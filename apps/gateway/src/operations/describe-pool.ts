import type { InspectedPool, InspectedSpending, InspectedTransaction } from '@forecourt/contracts';
import type { FleetSponsor, FleetTransaction } from '@forecourt/contracts/http';

const DAY_MS = 86_400_000;
/** A shorter observation says little about a day. */
const OBSERVED_AT_LEAST_MS = 3 * 3_600_000;

/** A sponsor's pool, for operators. */
export function describeSponsor(pool: InspectedPool): FleetSponsor {
  const { sponsor, coins, reservations, hour, day, leader, suspendedMs, drain } = pool;
  const { signer, sizes } = pool;
  const balance = coins.reduce((sum, one) => sum + BigInt(one.balance), 0n);
  return {
    sponsor_address: sponsor,
    balance: String(balance),
    coins: Object.fromEntries(
      coins.map(({ state, coins: count, balance: held }) => [
        state,
        { coins: Number(count), balance: held },
      ]),
    ),
    sizes: sizes.map(({ atLeast, coins: count }) => ({ at_least: atLeast, coins: count })),
    spending: { hour: describeSpending(hour), day: describeSpending(day) },
    days_left: daysLeft(balance, day),
    leader,
    suspended_secs: suspendedMs === null ? null : Math.ceil(suspendedMs / 1_000),
    drain,
    reservations: Object.fromEntries(reservations.map(({ state, count }) => [state, count])),
    signer,
  };
}

/** The transactions of a pool that are in flight. */
export function listTransactions({ sponsor, transactions }: InspectedPool): FleetTransaction[] {
  return transactions.map((one) => ({
    sponsor_address: sponsor,
    state: one.state,
    digest: one.digest,
    reservation_id: one.reservationId,
    caller: one.caller,
    reserved_at: one.reservedAt,
    begun_at: one.begunAt,
    age_secs: Math.floor(one.ageMs / 1_000),
    executor: one.executor,
    coins: one.coins,
    quarantine: describeQuarantine(one),
  }));
}

/**
 * The days that a balance lasts at the rate of the last day, to a tenth; null if too little was observed, or
 * nothing is spent.
 */
export function daysLeft(balance: bigint, day: InspectedSpending | null): number | null {
  if (day === null || day.forMs < OBSERVED_AT_LEAST_MS) return null;
  const spent = BigInt(day.spent);
  if (spent <= 0n) return null;
  const tenths = (balance * BigInt(day.forMs) * 10n) / (spent * BigInt(DAY_MS));
  return Number(tenths) / 10;
}

function describeSpending(spending: InspectedSpending | null) {
  return spending && { spent: spending.spent, since: spending.since };
}

function describeQuarantine(transaction: InspectedTransaction): FleetTransaction['quarantine'] {
  const { state, reason, quarantineEpoch, movedOnBy } = transaction;
  if (state !== 'quarantined') return null;
  return { reason: reason ?? '', ends_after_epoch: quarantineEpoch, moved_on_by: movedOnBy };
}
