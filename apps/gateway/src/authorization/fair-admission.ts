import type { Caller } from '@forecourt/policy/tokens';

/** Above this share of the maximum, no caller may exceed its part. */
const FAIR_FROM = 0.5;

/**
 * Bounds the requests of one kind in progress: those beyond the maximum are refused, so that they do not slow down the
 * others. When room grows scarce, it is divided evenly among the tokens in use, and the part of a token among its users:
 * a token gains nothing by inventing users.
 */
export class FairAdmission {
  /** Places taken by requests in progress, by token and caller. */
  readonly #byToken = new Map<string, Map<string, number>>();
  #total = 0;

  constructor(private readonly max: number) {}

  get total(): number {
    return this.#total;
  }

  /**
   * Admits a request, which takes so many places, and returns what to call once when it ends. Null: there is no room for it.
   * Room for one place is enough, so that a large request is not refused for ever.
   */
  admit({ token, name }: Pick<Caller, 'token' | 'name'>, places = 1): (() => void) | null {
    if (this.#total >= this.max) return null;
    const users = this.#byToken.get(token) ?? new Map<string, number>();
    if (this.#total >= this.max * FAIR_FROM) {
      const tokenMax = this.max / (this.#byToken.size + (users.size === 0 ? 1 : 0));
      const own = users.get(name) ?? 0;
      // A user with no request in progress is below any part.
      if (sumOf(users) >= tokenMax || own >= tokenMax / users.size) return null;
    }
    this.#total += places;
    users.set(name, (users.get(name) ?? 0) + places);
    this.#byToken.set(token, users);
    return () => this.leave(token, name, places);
  }

  private leave(token: string, name: string, places: number): void {
    this.#total -= places;
    const users = this.#byToken.get(token)!;
    const left = users.get(name)! - places;
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
