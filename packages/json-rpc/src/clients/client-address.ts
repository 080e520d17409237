import { isIPv4, isIPv6 } from 'node:net';

/** The header in which a gateway names the client. Gateways take it away from what clients send. */
export const CLIENT_HEADER = 'x-forecourt-client';

const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** The address without the notation of IPv4 inside IPv6, and without a zone; null for what is no address. */
export function plainAddress(text: string): string | null {
  const address = text.trim().replace(/%.*$/, '');
  const mapped = MAPPED_IPV4.exec(address)?.[1];
  if (mapped !== undefined && isIPv4(mapped)) return mapped;
  return isIPv4(address) || isIPv6(address) ? address : null;
}

/**
 * Whom an address counts for: an IPv4 address for itself, an IPv6 one for its /64, since whoever has one has all of it.
 * `address` has come from `plainAddress`.
 */
export function clientOf(address: string): string {
  if (isIPv4(address)) return address;
  const [head = '', tail] = address.toLowerCase().split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const after = tail === '' ? 0 : tail.split(':').length;
    while (groups.length + after < 8) groups.push('0');
    groups.push(...tail.split(':').filter((group) => group !== ''));
  }
  const network = groups.slice(0, 4).map((group) => parseInt(group, 16).toString(16));
  return `${network.join(':')}::/64`;
}
