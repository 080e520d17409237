import type { FleetSponsor } from '../../api/gateway-types.js';
import { formatDateIn } from '../../format/times.js';

/** The date on which the balance is used up at the rate of the day. Unknown is not zero. */
export function RunsOut({ sponsor }: { readonly sponsor: FleetSponsor | undefined }) {
  if (sponsor === undefined) return 'unknown';
  const { days_left: days } = sponsor;
  if (days === null)
    return <span title="Nothing is spent, or too little was observed">not in sight</span>;
  return <span title={`in ${days} days at the rate of the last day`}>{formatDateIn(days)}</span>;
}
