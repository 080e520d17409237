import type { IncomingMessage } from 'node:http';
import { findClient, groupsOf } from '@forecourt/admission';
import { CLIENT_SHARE, FairShares, type Hold, TokenBuckets } from '@forecourt/resilience';
import type { Networks } from '@forecourt/runtime/config';

export interface RpcLimits {
  /** Requests and upgrades of one client address in the long run; ten seconds' worth at once. */
  readonly perSecond: number;
  readonly requestsInAll: number;
  readonly socketsInAll: number;
}

const BURST_SECONDS = 10;
/**
 * Bytes that cost as much of a client's rate as a request: of bodies, which are usually small, and of
 * responses.
 */
const BYTES_PER_REQUEST = { body: 1_024, response: 8_192 } as const;

/** A client that may send its request, or the seconds until it may try again. */
export type Admitted = { readonly client: string } | { readonly retryAfterSecs: number };

/** Decides which requests and sockets are served at `/rpc`. */
export class RpcAdmission {
  readonly #rates: TokenBuckets;
  readonly #requests: FairShares;
  readonly #sockets: FairShares;

  constructor(
    private readonly limits: RpcLimits,
    private readonly trustedProxies: Networks,
  ) {
    const { perSecond, requestsInAll, socketsInAll } = limits;
    this.#rates = new TokenBuckets({ capacity: BURST_SECONDS * perSecond, perSecond });
    this.#requests = new FairShares({ total: requestsInAll, share: CLIENT_SHARE });
    this.#sockets = new FairShares({ total: socketsInAll, share: CLIENT_SHARE });
  }

  /** The maximum number of requests in progress. */
  get requestsInAll(): number {
    return this.limits.requestsInAll;
  }

  /** Before the body is read, which takes no place in the meantime. */
  admit(request: IncomingMessage): Admitted {
    const client = findClient(request, (address) => this.trustedProxies.includes(address));
    const seconds = this.#rates.take(client);
    if (seconds > 0) return { retryAfterSecs: Math.ceil(seconds) };
    return { client };
  }

  /** Lowers a client's rate by what was transferred for it: to pass on much takes more of the processor. */
  charge(client: string, kind: keyof typeof BYTES_PER_REQUEST, bytes: number): void {
    this.#rates.charge(client, Math.floor(bytes / BYTES_PER_REQUEST[kind]));
  }

  /** A place for a request whose body has arrived; null: the client has its share of them. */
  takeRequest(client: string): Hold | null {
    return this.#requests.take(groupsOf(client));
  }

  takeSocket(client: string): Hold | null {
    return this.#sockets.take(groupsOf(client));
  }
}
