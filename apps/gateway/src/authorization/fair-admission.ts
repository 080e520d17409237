/** How many requests of one kind may be under way at once. */
export interface FairAdmissionOptions {
  readonly most: number;
}

/** From this share of the most on, no caller may have more than its part. */
const FAIR_FROM = 0.5;

/**
 * Bounds the requests of one kind that are under way, so that more of them are told to come back rather than slow all
 * others down. When room grows scarce it is divided evenly among those who are there.
 */
export class FairAdmission {
  readonly #byCaller = new Map<string, number>();
  #total = 0;

  constructor(private readonly options: FairAdmissionOptions) {}

  get total(): number {
    return this.#total;
  }

  /** Lets a request in: call what is returned, once, when it is done. Null: there is no room for it. */
  admit(caller: string): (() => void) | null {
    const { most } = this.options;
    const own = this.#byCaller.get(caller) ?? 0;
    const callers = this.#byCaller.size + (own === 0 ? 1 : 0);
    const isScarce = this.#total >= most * FAIR_FROM;
    if (this.#total >= most || (isScarce && own >= most / callers)) return null;
    this.#total += 1;
    this.#byCaller.set(caller, own + 1);
    return () => this.leave(caller);
  }

  private leave(caller: string): void {
    this.#total -= 1;
    const left = this.#byCaller.get(caller)! - 1;
    if (left === 0) this.#byCaller.delete(caller);
    else this.#byCaller.set(caller, left);
  }
}
