import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isIPv4, isIPv6 } from 'node:net';

/** The header in which a gateway names the client. Gateways remove it from clients' requests. */
export const CLIENT_HEADER = 'x-forecourt-client';

/** In the form that `URL` gives to each notation. */
const MAPPED_IPV4 = /^\[::ffff:([\da-f]{1,4}):([\da-f]{1,4})\]$/;

/** The address without IPv4-mapped notation and without a zone; null for text that is not an address. */
export function plainAddress(text: string): string | null {
  const address = text.trim().replace(/%.*$/, '');
  if (isIPv4(address)) return address;
  return isIPv6(address) ? (mappedIPv4(address) ?? address) : null;
}

/** The IPv4 address in an IPv6 address, whether it is written in dots or in hex; null for others. */
function mappedIPv4(address: string): string | null {
  if (!/:ffff:/i.test(address)) return null;
  const [, high, low] = MAPPED_IPV4.exec(new URL(`http://[${address}]`).hostname) ?? [];
  if (high === undefined) return null;
  const [first, second] = [parseInt(high, 16), parseInt(low!, 16)];
  return [first >> 8, first & 0xff, second >> 8, second & 0xff].join('.');
}

/**
 * The client that an address belongs to: an IPv4 address itself, an IPv6 address its /64, which is assigned
 * as a whole. `address` comes from `plainAddress`.
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

const NETWORK = /^([\da-f]+):([\da-f]+):([\da-f]+):[\da-f]+::\/64$/;

/**
 * The names that a client shares by, from the widest: an IPv6 /64 belongs to its /48, of which one subscriber
 * may have thousands. `client` comes from `clientOf`.
 */
export function groupsOf(client: string): readonly string[] {
  const site = NETWORK.exec(client);
  return site === null ? [client] : [`${site[1]}:${site[2]}:${site[3]}::/48`, client];
}

/** The widest group of a client. */
export function widestGroupOf(client: string): string {
  return groupsOf(client)[0]!;
}

export type IsTrusted = (address: string) => boolean;

const UNKNOWN = 'unknown';

type Request = Pick<IncomingMessage, 'headers'> & {
  readonly socket: { readonly remoteAddress?: string | undefined };
};

/**
 * The client of a request that came directly or through trusted proxies: the last address in
 * `X-Forwarded-For` that is not a trusted proxy's. Addresses before that one may be forged by the client.
 */
export function findClient({ headers, socket }: Request, isTrustedProxy: IsTrusted): string {
  let address = plainAddress(socket.remoteAddress ?? '');
  if (address === null) return UNKNOWN;
  const hops = textOf(headers, 'x-forwarded-for').split(',');
  while (isTrustedProxy(address) && hops.length > 0) {
    const hop = plainAddress(withoutPort(hops.pop()!));
    if (hop === null) break;
    address = hop;
  }
  return clientOf(address);
}

/**
 * Some balancers write a port behind the address, brackets around an IPv6 address, and quotes around both.
 */
function withoutPort(quoted: string): string {
  const hop = quoted.trim().replace(/^"(.*)"$/, '$1');
  const [, bracketed, plain] = /^\s*(?:\[([^\]]+)\]|([\d.]+))(?::\d+)?\s*$/.exec(hop) ?? [];
  return bracketed ?? plain ?? hop;
}

/** The client that a gateway names in a forwarded request; without a gateway, the peer itself. */
export function findForwardedClient({ headers, socket }: Request, isGateway: IsTrusted): string {
  const peer = plainAddress(socket.remoteAddress ?? '');
  if (peer === null) return UNKNOWN;
  const named = textOf(headers, CLIENT_HEADER).slice(0, 64);
  return named !== '' && isGateway(peer) ? named : clientOf(peer);
}

function textOf(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name];
  return Array.isArray(value) ? value.join(',') : (value ?? '');
}
