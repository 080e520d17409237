import { IncomingMessage } from 'node:http';

/** The requests with an offer. Node sets the property before a field of the class would exist. */
const offering = new WeakSet<IncomingMessage>();

/**
 * For `createServer`: its requests are upgraded only if they open a WebSocket at `path`; without one, none
 * is. Any other offer, such as HTTP/2's `h2c`, is ignored (RFC 9110, 7.8). Not every supported Node has
 * `shouldUpgradeCallback`, but each reads the property.
 */
export function requestsUpgradedAt(path?: string): typeof IncomingMessage {
  return class OfferingRequest extends IncomingMessage {
    get upgrade(): boolean {
      return offering.has(this) && (this.method === 'CONNECT' || opensWebSocket(this, path));
    }

    set upgrade(offers: unknown) {
      if (offers === true) offering.add(this);
      else offering.delete(this);
    }
  };
}

function opensWebSocket(
  { method, url, headers, httpVersion }: IncomingMessage,
  path: string | undefined,
): boolean {
  if (path === undefined || method !== 'GET' || httpVersion === '1.0') return false;
  return url?.split('?', 1)[0] === path && headers.upgrade?.toLowerCase() === 'websocket';
}
