import type { FleetSponsor, SponsorStatus } from '../../generated/gateway-types.js';

const BINDING = ['reserved', 'claimed', 'executing', 'quarantined', 'maintenance'];

/** A drained sponsor has no work left: until then it is draining. */
export function drainStateOf({ coins }: Pick<FleetSponsor, 'coins'>): 'draining' | 'drained' {
  return BINDING.some((state) => (coins[state]?.coins ?? 0) > 0) ? 'draining' : 'drained';
}

/** Every list of sponsors is in the order of their addresses. */
function inOrder<T extends { readonly sponsor_address: string }>(
  sponsors: readonly T[],
): readonly T[] {
  return sponsors.toSorted((a, b) => a.sponsor_address.localeCompare(b.sponsor_address));
}

/** Without key and coins there is nothing to give, to stop or to wait for. */
export function isRetired({ signer, balance }: Pick<FleetSponsor, 'signer' | 'balance'>): boolean {
  return signer === null && balance === '0';
}

/** Those in use, and those that are retired, each in the order of their addresses. */
export function partSponsors<
  T extends Parameters<typeof isRetired>[0] & { sponsor_address: string },
>(sponsors: readonly T[]): { readonly inUse: readonly T[]; readonly retired: readonly T[] } {
  const ordered = inOrder(sponsors);
  return {
    inUse: ordered.filter((sponsor) => !isRetired(sponsor)),
    retired: ordered.filter(isRetired),
  };
}

/**
 * The sponsor that pays where neither the caller nor a rule names one; undefined: none can. `sponsors`: in
 * the order of the keys.
 */
export function findDefault<T extends Pick<SponsorStatus, 'signer' | 'state'>>(
  sponsors: readonly T[],
): T | undefined {
  return sponsors.find(({ signer, state }) => state === 'serving' && signer?.signs === true);
}

const coinStates: Readonly<Record<string, string>> = {
  available: 'Free: the next reservation may get them.',
  treasury: 'Large coins, kept whole until they are split into coins for reservations.',
  reserved: 'Set aside for a caller, until it sends the transaction or the deadline passes.',
  claimed: 'Bound to one transaction, which waits for an executor.',
  executing: 'Bound to a transaction that an executor signs and submits.',
  'in-flight': 'Bound to a transaction that is on its way to the ledger.',
  quarantined:
    'Bound to a transaction that was not executed but still may be. They return when the ledger excludes it, at the latest with a later epoch.',
  maintenance: 'Split, merged or withdrawn by the sponsor itself.',
  dust: 'Too small to sponsor with; they are merged into one coin now and then.',
};

/** The meaning of a state of coins, and of the reservation or the transaction that binds them. */
export function explainCoins(state: string): string {
  return coinStates[state] ?? `The pool calls them ${state}.`;
}

export const sponsorStates: Readonly<Record<SponsorStatus['state'], string>> = {
  serving: 'It gives gas coins to reservations.',
  draining: 'An operator has stopped it. Its open work goes on; it gives no new reservations.',
  drained: 'An operator has stopped it, and its open work is finished.',
  opening: 'Its pool is being filled from the ledger.',
  'no-key': 'No coin-pool or executor has its key: it can sign nothing.',
};
