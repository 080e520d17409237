import type { IncomingMessage } from 'node:http';
import type { Networks } from '@forecourt/runtime/config';
import { ClientQuota, findClient, TokenBuckets } from '@forecourt/json-rpc';
import { placesOfBody } from '../http/places-of-body.js';

export interface RpcLimits {
  /** Requests and upgrades of one client address in the long run; ten seconds' worth at once. */
  readonly perSecond: number;
  readonly requestsPerClient: number;
  readonly requestsInAll: number;
  readonly socketsPerClient: number;
  readonly socketsInAll: number;
}

const BURST_SECONDS = 10;

/** An admitted request counts until `leave` is called; any other may try again after `retryAfterSecs`. */
export type Admitted =
  { readonly client: string; readonly leave: () => void } | { readonly retryAfterSecs: number };

/** Decides which requests and sockets are served at `/rpc`, before their bodies are read. */
export class RpcAdmission {
  readonly #rates: TokenBuckets;
  readonly #requests: ClientQuota;
  readonly #sockets: ClientQuota;

  constructor(
    private readonly limits: RpcLimits,
    private readonly trustedProxies: Networks,
    private readonly bodyLimitBytes: number,
  ) {
    const { perSecond } = limits;
    this.#rates = new TokenBuckets({ capacity: BURST_SECONDS * perSecond, perSecond });
    this.#requests = new ClientQuota({
      perClient: limits.requestsPerClient,
      inAll: limits.requestsInAll,
    });
    this.#sockets = new ClientQuota({
      perClient: limits.socketsPerClient,
      inAll: limits.socketsInAll,
    });
  }

  /** The maximum number of requests in progress. */
  get requestsInAll(): number {
    return this.limits.requestsInAll;
  }

  admitRequest(request: IncomingMessage): Admitted {
    return this.admit(request, this.#requests, placesOfBody(request, this.bodyLimitBytes));
  }

  admitSocket(request: IncomingMessage): Admitted {
    return this.admit(request, this.#sockets, 1);
  }

  private admit(request: IncomingMessage, quota: ClientQuota, places: number): Admitted {
    const client = findClient(request, (address) => this.trustedProxies.includes(address));
    const seconds = this.#rates.take(client);
    if (seconds > 0) return { retryAfterSecs: Math.ceil(seconds) };
    const leave = quota.take(client, places);
    return leave ? { client, leave } : { retryAfterSecs: 1 };
  }
}
