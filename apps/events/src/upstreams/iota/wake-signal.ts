/** Wakes a waiting loop; if no loop waits, it wakes the next wait immediately. */
export class WakeSignal {
  #isRaised = false;
  #wake: () => void = () => undefined;

  raise(): void {
    this.#isRaised = true;
    this.#wake();
  }

  /** Resolves when the signal is raised, at the latest after `ms`. */
  async wait(ms: number): Promise<void> {
    if (!this.#isRaised) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#isRaised = false;
  }
}
