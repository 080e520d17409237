export interface QuotaLimits {
  readonly perClient: number;
  readonly inAll: number;
}

/** From this share of the whole on, only clients that hold nothing yet are let in. */
const SCARCE_FROM = 7 / 8;

/** Divides a number of places among clients, so that one of them cannot take the places of all others. */
export class ClientQuota {
  readonly #byClient = new Map<string, number>();
  #total = 0;

  constructor(private readonly limits: QuotaLimits) {}

  get total(): number {
    return this.#total;
  }

  /** Takes `count` places; the result, called once, gives them back. Null when there are not so many. */
  take(client: string, count = 1): (() => void) | null {
    const { perClient, inAll } = this.limits;
    const own = this.#byClient.get(client) ?? 0;
    // Whoever holds nothing may ask for more than its share at once; otherwise a large batch would never be served.
    if (own > 0 && own + count > perClient) return null;
    if (this.#total + count > (own > 0 ? inAll * SCARCE_FROM : Math.max(inAll, count))) return null;
    this.#total += count;
    this.#byClient.set(client, own + count);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#total -= count;
      const left = this.#byClient.get(client)! - count;
      if (left === 0) this.#byClient.delete(client);
      else this.#byClient.set(client, left);
    };
  }
}
