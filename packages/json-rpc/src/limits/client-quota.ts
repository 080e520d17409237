export interface QuotaLimits {
  readonly perClient: number;
  readonly inAll: number;
}

/** When more than this share of all slots is taken, only clients that have none get one. */
const SCARCE_FROM = 7 / 8;

/** Shares a number of slots among clients so that no client can starve the others. */
export class ClientQuota {
  readonly #byClient = new Map<string, number>();
  #total = 0;

  constructor(private readonly limits: QuotaLimits) {}

  get total(): number {
    return this.#total;
  }

  /** Takes `count` slots; returns a function that releases them (once), or null when too few are free. */
  take(client: string, count = 1): (() => void) | null {
    const { perClient, inAll } = this.limits;
    const own = this.#byClient.get(client) ?? 0;
    // A client without slots may exceed its share once; otherwise a large batch would never be served.
    if (own > 0 && own + count > perClient) return null;
    if (this.#total + count > (own > 0 ? inAll * SCARCE_FROM : Math.max(inAll, count))) return null;
    this.#total += count;
    this.#byClient.set(client, own + count);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.#total -= count;
      const left = this.#byClient.get(client)! - count;
      if (left === 0) this.#byClient.delete(client);
      else this.#byClient.set(client, left);
    };
  }
}
