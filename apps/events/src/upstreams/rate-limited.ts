import { UpstreamFailed } from './upstream-failed.js';

/** The node refuses calls because of its rate limit. */
export class RateLimited extends UpstreamFailed {
  /** `retryAfterMs`: the time that the node asks for; null if it does not say. */
  constructor(readonly retryAfterMs: number | null) {
    const wait = retryAfterMs === null ? '' : `; retry in ${Math.ceil(retryAfterMs / 1_000)} s`;
    super(`ledger node limits the rate of calls${wait}`);
  }
}
