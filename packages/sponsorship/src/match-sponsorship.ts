import {
  type RecordFilters,
  type Sponsorship,
  type SponsorshipState,
  type Viewer,
} from '@forecourt/contracts';
import { calledFunctions } from './describe-transaction.js';

/** Whether a viewer may see a record. */
export function maySee(
  viewer: Viewer,
  { token, user }: Pick<Sponsorship, 'token' | 'user'>,
): boolean {
  if (viewer.token === null) return true;
  return viewer.token === token && (viewer.user === null || viewer.user === user);
}

/** Whether a sponsorship passes all filters. */
export function passesFilters(sponsorship: Sponsorship, filters: RecordFilters): boolean {
  const { created_at: created, refusals } = sponsorship;
  const is = (filter: string | undefined, value: string | null) =>
    filter === undefined || filter === value;
  return (
    created >= (filters.from ?? 0) &&
    created <= (filters.to ?? Infinity) &&
    is(filters.token, sponsorship.token) &&
    is(filters.user, sponsorship.user) &&
    is(filters.sender, sponsorship.sender) &&
    is(filters.sponsor, sponsorship.sponsor_address) &&
    is(filters.status, sponsorship.status) &&
    is(filters.outcome, sponsorship.outcome) &&
    is(filters.state, stateOf(sponsorship)) &&
    is(filters.digest, sponsorship.digest) &&
    (filters.error === undefined || refusals.some(({ code }) => code === filters.error)) &&
    callsFunction(sponsorship, filters)
  );
}

function stateOf({ status, outcome, refusals }: Sponsorship): SponsorshipState {
  switch (status) {
    case 'executed':
      return outcome === 'failure' ? 'failed' : 'executed';
    case 'executing':
      return 'in_flight';
    case 'expired':
    case 'released':
      return refusals.length > 0 ? 'refused' : status;
    case 'quarantined':
    case 'reserved':
      return status;
  }
}

/** Whether one call of the transaction has the package, the module and the function. */
function callsFunction({ commands }: Sponsorship, filters: RecordFilters): boolean {
  const parts = ['package', 'module', 'function'] as const;
  const filteredParts = parts.filter((part) => filters[part] !== undefined);
  if (filteredParts.length === 0) return true;
  return calledFunctions(commands).some((call) =>
    filteredParts.every((part) => call[part] === filters[part]),
  );
}

/** Operators and auditors share like one token. */
const VIEWERS_OF_ALL = 'viewers of all';

/** The names that a viewer shares by, from the widest: its token, and the user of it. */
export function sharePathOf({ token, user }: Viewer): readonly string[] {
  if (token === null) return [VIEWERS_OF_ALL];
  return user ? [token, user] : [token];
}
