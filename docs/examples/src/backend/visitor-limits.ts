/** Who wants a transaction sponsored. */
export interface Visitor {
  readonly address: string;
  /** By network address; see `clientOf`. */
  readonly client: string;
}

/** Transactions in a window. */
export interface Limits {
  readonly perAddress: number;
  readonly perClient: number;
  readonly inAll: number;
  readonly windowMs: number;
}

export const USUAL_LIMITS: Limits = {
  perAddress: 3,
  perClient: 10,
  inAll: 500,
  windowMs: 10 * 60_000,
};

export class LimitReached extends Error {
  constructor(
    message: string,
    readonly retryAfterSecs: number,
  ) {
    super(`${message}. Try again in ${Math.ceil(retryAfterSecs / 60)} min.`);
  }
}

/**
 * Counts transactions in a window that is the same for everybody. Addresses on the ledger cost nothing, so
 * the limit for each address restrains honest visitors only; the limit for each client stops one person, and
 * the limit for all stops a person with many clients. It also bounds memory, since refused transactions are
 * not counted.
 *
 * Each client has its own count for an address: otherwise anybody could name an address and use up its
 * owner's limit. An application whose users log in counts accounts instead.
 */
export class VisitorLimits {
  #counts = new Map<string, number>();
  #endsAt = 0;

  constructor(
    private readonly limits: Limits = USUAL_LIMITS,
    private readonly now = Date.now,
  ) {}

  /** Counts a transaction, and returns a function that takes it back. Throws `LimitReached`. */
  count({ address, client }: Visitor): () => void {
    const counts = this.countsNow();
    const { perAddress, perClient, inAll } = this.limits;
    const counted = [`${address} of ${client}`, client, 'all'] as const;
    const [ofAddress, ofClient, ofAll] = counted.map((key) => counts.get(key) ?? 0);
    if (ofAddress! >= perAddress) {
      throw this.refusal(`You have had your ${perAddress} sponsored transactions`);
    }
    if (ofClient! >= perClient) {
      throw this.refusal('Too many sponsored transactions came from your network');
    }
    if (ofAll! >= inAll) {
      throw this.refusal('The sponsor has paid for enough transactions for now');
    }
    const add = (amount: number) => {
      for (const key of counted) counts.set(key, (counts.get(key) ?? 0) + amount);
    };
    add(1);
    return () => add(-1);
  }

  private countsNow(): Map<string, number> {
    if (this.now() >= this.#endsAt) {
      this.#counts = new Map();
      this.#endsAt = this.now() + this.limits.windowMs;
    }
    return this.#counts;
  }

  private refusal(message: string): LimitReached {
    return new LimitReached(message, Math.ceil((this.#endsAt - this.now()) / 1_000));
  }
}
