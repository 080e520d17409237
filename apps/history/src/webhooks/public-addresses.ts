import { BlockList, isIP } from 'node:net';

/**
 * Networks whose addresses are not public: IANA's registries of special-purpose addresses, with multicast. Of
 * IPv6 only global unicast is public, less the ranges in it that are special. The Helm chart's policy
 * `webhook-receivers` has the same.
 */
export const NOT_PUBLIC_IPV4 = [
  '0.0.0.0/8', // this host
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared by carriers (CGNAT)
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local, and metadata of clouds
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
];

export const NOT_PUBLIC_IPV6 = [
  '2001::/23', // protocol assignments, with Teredo and ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, which holds an IPv4 address
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
];

const GLOBAL_UNICAST_IPV6 = '2000::/3';

const notPublic = new BlockList();
for (const network of NOT_PUBLIC_IPV4) addTo(notPublic, network, 'ipv4');
for (const network of NOT_PUBLIC_IPV6) addTo(notPublic, network, 'ipv6');
const globalUnicast = new BlockList();
addTo(globalUnicast, GLOBAL_UNICAST_IPV6, 'ipv6');

/**
 * Whether an address belongs to the public Internet. Forms of IPv6 that hold an IPv4 address (mapped, NAT64,
 * 6to4, Teredo) are not: they would lead to any IPv4 address behind a translator.
 */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  // A zone names an interface of this host.
  if (version === 0 || address.includes('%')) return false;
  if (version === 4) return !notPublic.check(address, 'ipv4');
  return globalUnicast.check(address, 'ipv6') && !notPublic.check(address, 'ipv6');
}

function addTo(list: BlockList, network: string, family: 'ipv4' | 'ipv6'): void {
  const [address, prefix] = network.split('/') as [string, string];
  list.addSubnet(address, Number(prefix), family);
}
