/** The times at which an execution was submitted, for history. */
export class SubmissionTimes {
  #times: number[] = [];

  /** A submission begins now. */
  note(): void {
    this.#times.push(performance.now());
  }

  /** How long ago each was made that was not taken before, in ms. */
  takeAges(): number[] {
    const now = performance.now();
    const ages = this.#times.map((time) => Math.round(now - time));
    this.#times = [];
    return ages;
  }

  /** Takes back ages that could not be stored. */
  giveBack(ages: readonly number[]): void {
    const now = performance.now();
    this.#times.unshift(...ages.map((age) => now - age));
  }
}
