import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { CLIENT_HEADER, clientOf, plainAddress } from './client-address.js';

export type IsTrusted = (address: string) => boolean;

const UNKNOWN = 'unknown';

type Request = Pick<IncomingMessage, 'headers'> & {
  readonly socket: { readonly remoteAddress?: string | undefined };
};

/**
 * The client of a request that came directly or through trusted proxies: the last address in `X-Forwarded-For` that is not
 * a trusted proxy's. Addresses before that one may be forged by the client.
 */
export function findClient({ headers, socket }: Request, isTrustedProxy: IsTrusted): string {
  let address = plainAddress(socket.remoteAddress ?? '');
  if (address === null) return UNKNOWN;
  const hops = textOf(headers, 'x-forwarded-for').split(',');
  while (isTrustedProxy(address) && hops.length > 0) {
    const hop = plainAddress(hops.pop()!);
    if (hop === null) break;
    address = hop;
  }
  return clientOf(address);
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
