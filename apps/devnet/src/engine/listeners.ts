import type { CheckpointRecord, ExecutedTransaction } from './engine-interface.js';

interface Happenings {
  executed: ExecutedTransaction;
  checkpoint: CheckpointRecord;
  epoch: bigint;
  gasPrice: bigint;
  /** Milliseconds since 1970. */
  clock: number;
}

/** Who is told of what happens, synchronously and in order. */
export class Listeners {
  readonly #byName: { [K in keyof Happenings]: Set<(happening: Happenings[K]) => void> } = {
    executed: new Set(),
    checkpoint: new Set(),
    epoch: new Set(),
    gasPrice: new Set(),
    clock: new Set(),
  };

  /** The result takes the listener away again. */
  add<K extends keyof Happenings>(name: K, listener: (happening: Happenings[K]) => void) {
    // A wrapper each, so that one function added twice is two listeners.
    const own = (happening: Happenings[K]) => listener(happening);
    this.#byName[name].add(own);
    return () => void this.#byName[name].delete(own);
  }

  tell<K extends keyof Happenings>(name: K, happening: Happenings[K]): void {
    for (const listener of this.#byName[name]) listener(happening);
  }
}
