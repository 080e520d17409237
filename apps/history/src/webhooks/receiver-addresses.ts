import { lookup, Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { ReceiverForbidden } from './receiver-forbidden.js';
import { isPublicAddress } from './public-addresses.js';

interface FoundAddress {
  readonly address: string;
  readonly family: number;
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
