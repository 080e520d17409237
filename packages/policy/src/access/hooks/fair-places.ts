import type { AccessSubject } from '../access-subject.js';

/** Who causes a call. */
export type Causer = Pick<AccessSubject, 'caller' | 'user'>;

/**
 * A number of places. A token may take half of those that other tokens leave, and one of its users half of what its other
 * users leave of that, so that a place stays free for others.
 */
export class FairPlaces {
  #taken = 0;
  readonly #takenBy = new Map<string, number>();

  constructor(private readonly total: number) {}

  mayTake(by: Causer): boolean {
    const { caller, user = caller } = by;
    const ofToken = this.countOf(tokenKey(caller));
    const share = Math.ceil((this.total - this.#taken + ofToken) / 2);
    if (ofToken >= share || this.#taken >= this.total) return false;
    if (user === caller) return true;
    const ofUser = this.countOf(userKey(user));
    return ofUser < Math.ceil((share - ofToken + ofUser) / 2);
  }

  /** Whether there was a place for it. */
  take(by: Causer): boolean {
    if (!this.mayTake(by)) return false;
    this.add(by, 1);
    return true;
  }

  giveBack(by: Causer): void {
    this.add(by, -1);
  }

  private add({ caller, user = caller }: Causer, count: number): void {
    this.#taken += count;
    for (const key of [tokenKey(caller), userKey(user)]) {
      const left = this.countOf(key) + count;
      if (left === 0) this.#takenBy.delete(key);
      else this.#takenBy.set(key, left);
    }
  }

  private countOf(key: string): number {
    return this.#takenBy.get(key) ?? 0;
  }
}

const tokenKey = (token: string) => `token ${token}`;
const userKey = (user: string) => `user ${user}`;
