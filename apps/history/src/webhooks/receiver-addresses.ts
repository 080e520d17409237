import { lookup, Resolver } from 'node:dns/promises';
import { BlockList, isIP, type LookupFunction } from 'node:net';

interface FoundAddress {
  readonly address: string;
  readonly family: number;
}

/** The operator's configuration forbids to connect to a receiver. */
export class ReceiverForbidden extends Error {
  override readonly name = 'ReceiverForbidden';
}

const RESOLVE_TIMEOUT_MS = 2_000;
const RESOLVE_TRIES = 2;

/**
 * Decides to which addresses webhooks may connect: public ones over https, and any to hosts that the operator
 * allows. Names are resolved and checked in one step, by the lookup of the connection itself, so that a
 * change of DNS between the two is impossible.
 */
export class ReceiverAddresses {
  readonly #allowed: ReadonlySet<string>;
  // Asks servers itself: `lookup` occupies a thread of a small pool while a server does not answer.
  readonly #resolver = new Resolver({ timeout: RESOLVE_TIMEOUT_MS, tries: RESOLVE_TRIES });

  /**
   * `allowedHosts`: names or addresses, each with an optional port. `servers`: DNS servers other than the
   * system's.
   */
  constructor(allowedHosts: readonly string[], servers?: readonly string[]) {
    const names = allowedHosts.map((host) => host.toLowerCase().replace(/[[\]]/g, ''));
    this.#allowed = new Set(names);
    if (servers) this.#resolver.setServers(servers);
  }

  /** The lookup for connections to this URL. Throws `ReceiverForbidden`. */
  lookupFor(url: URL): LookupFunction {
    const host = hostOf(url);
    const isAllowed = this.#allowed.has(host) || this.#allowed.has(`${host}:${portOf(url)}`);
    if (!isAllowed) {
      if (url.protocol !== 'https:') {
        throw new ReceiverForbidden('http is only sent to hosts in WEBHOOK_ALLOWED_HOSTS');
      }
      // An address is not looked up.
      if (isIP(host) !== 0) requirePublic(host, host);
    }
    const find = isAllowed ? findAnywhere : (name: string) => this.findPublic(name);
    return (_name, { all }, done) => {
      find(host).then(
        (addresses) => {
          if (all) return done(null, [...addresses]);
          const { address, family } = addresses[0]!;
          done(null, address, family);
        },
        (error: NodeJS.ErrnoException) => done(error, ''),
      );
    };
  }

  /** One address that is not public is reason enough to refuse all of them. */
  private async findPublic(host: string): Promise<readonly FoundAddress[]> {
    const answers = await Promise.allSettled([
      this.#resolver.resolve4(host),
      this.#resolver.resolve6(host),
    ]);
    const ips = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    const failure = answers.find((answer) => answer.status === 'rejected');
    if (ips.length === 0) throw (failure?.reason as Error) ?? new Error(`${host} has no address`);
    for (const address of ips) requirePublic(address, host);
    return ips.map((address) => ({ address, family: isIP(address) }));
  }
}

/** Also finds names that only this host or its search domains know. */
function findAnywhere(host: string): Promise<readonly FoundAddress[]> {
  return lookup(host, { all: true });
}

function requirePublic(address: string, host: string): void {
  if (isPublicAddress(address)) return;
  const what = address === host ? host : `${host} is ${address}, which`;
  throw new ReceiverForbidden(
    `${what} is not a public address, and the host is not in WEBHOOK_ALLOWED_HOSTS`,
  );
}

/** Host without brackets of IPv6 and without the dot of a complete name. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

function portOf({ protocol, port }: URL): string {
  return port || (protocol === 'https:' ? '443' : '80');
}

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
const GLOBAL_UNICAST_IPV6 = '2000::/3';
export const NOT_PUBLIC_IPV6 = [
  '2001::/23', // protocol assignments, with Teredo and ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, which holds an IPv4 address
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
];

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
