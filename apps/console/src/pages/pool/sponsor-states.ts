import type { FleetSponsor } from '../../api/gateway-types.js';

const BINDING = ['reserved', 'claimed', 'executing', 'quarantined', 'maintenance'];

/** A drained sponsor has no work left: until then it is draining. */
export function drainStateOf({ coins }: Pick<FleetSponsor, 'coins'>): 'draining' | 'drained' {
  return BINDING.some((state) => (coins[state]?.coins ?? 0) > 0) ? 'draining' : 'drained';
}

/** Every list of sponsors is in the order of their addresses. */
export function inOrder<T extends { readonly sponsor_address: string }>(
  sponsors: readonly T[],
): readonly T[] {
  return sponsors.toSorted((a, b) => a.sponsor_address.localeCompare(b.sponsor_address));
}

/** Without key and coins there is nothing to give, to stop or to wait for. */
export function isRetired({ signer, balance }: Pick<FleetSponsor, 'signer' | 'balance'>): boolean {
  return signer === null && balance === '0';
}
