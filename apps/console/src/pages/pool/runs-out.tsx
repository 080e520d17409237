import type { FleetSponsor } from '../../generated/gateway-types.js';
import { formatDateIn, formatDuration } from '../../format/times.js';

/** The gateway names days from this time of observation on. */
const OBSERVED_MS = 3 * 3_600_000;

/** The date on which the balance is used up at the rate that was observed. Unknown is not zero. */
export function RunsOut({ sponsor }: { readonly sponsor: FleetSponsor | undefined }) {
  if (sponsor === undefined) return 'unknown';
  const { days_left: days, spending } = sponsor;
  if (days !== null) {
    const observed = spending.day && formatDuration(Date.now() - spending.day.since);
    return (
      <span title={`in ${days} days at the rate of the last ${observed ?? 'day'}`}>
        {formatDateIn(days)}
      </span>
    );
  }
  const isObserved = spending.day !== null && Date.now() - spending.day.since >= OBSERVED_MS;
  return isObserved ? (
    <span title="Nothing is spent">not in sight</span>
  ) : (
    <span title="It is known after three hours of observation">too early to say</span>
  );
}
