import type { Caller } from '@forecourt/policy/tokens';

/** How many requests of one kind may be under way at once. */
export interface FairAdmissionOptions {
  readonly most: number;
}

/** From this share of the most on, no caller may have more than its part. */
const FAIR_FROM = 0.5;

/**
 * Bounds the requests of one kind that are under way, so that more of them are told to come back rather than slow all
 * others down. When room grows scarce it is divided evenly among the tokens that are there, and the part of a token among
 * its users: making users up earns a token nothing.
 */
export class FairAdmission {
  /** Requests of each caller, by token and name. */
  readonly #byToken = new Map<string, Map<string, number>>();
  #total = 0;

  constructor(private readonly options: FairAdmissionOptions) {}

  get total(): number {
    return this.#total;
  }

  /** Lets a request in: call what is returned, once, when it is done. Null: there is no room for it. */
  admit({ token, name }: Pick<Caller, 'token' | 'name'>): (() => void) | null {
    const { most } = this.options;
    if (this.#total >= most) return null;
    const users = this.#byToken.get(token) ?? new Map<string, number>();
    if (this.#total >= most * FAIR_FROM) {
      const tokenMost = most / (this.#byToken.size + (users.size === 0 ? 1 : 0));
      const own = users.get(name) ?? 0;
      const ownMost = tokenMost / (users.size + (own === 0 ? 1 : 0));
      if (sumOf(users) >= tokenMost || own >= ownMost) return null;
    }
    this.#total += 1;
    users.set(name, (users.get(name) ?? 0) + 1);
    this.#byToken.set(token, users);
    return () => this.leave(token, name);
  }

  private leave(token: string, name: string): void {
    this.#total -= 1;
    const users = this.#byToken.get(token)!;
    const left = users.get(name)! - 1;
    if (left > 0) users.set(name, left);
    else users.delete(name);
    if (users.size === 0) this.#byToken.delete(token);
  }
}

function sumOf(users: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const count of users.values()) sum += count;
  return sum;
}
