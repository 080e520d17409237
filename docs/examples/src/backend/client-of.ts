import ipaddr from 'ipaddr.js';

/**
 * The client that is counted for an IP address: the address itself, or the /64 network of an IPv6 address,
 * since a visitor with one address of it usually has all of them.
 */
export function clientOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return 'unknown';
  const address = ipaddr.process(ip);
  if (address instanceof ipaddr.IPv4) return address.toString();
  const network = address.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}
