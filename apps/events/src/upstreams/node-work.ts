/** On whose behalf a node is called, and how much that may cost. */
export interface NodeWork {
  /** Runs one call when its turn has come. `signal` aborts when nobody waits for the answer any more. */
  call<T>(run: (signal: AbortSignal | null) => Promise<T>): Promise<T>;
  /** Counts bytes as held for it until the result is called, or the work ends. */
  hold(bytes: number): () => void;
  /** Hears how large an answer of the node was. */
  charge(bytes: number): void;
  /** A larger answer of the node is not read. */
  readonly maxAnswerBytes: number;
}

/** The service's own: the stream of events and the probes. It waits for nobody. */
export const OWN_WORK: NodeWork = {
  call: (run) => run(null),
  hold: () => () => undefined,
  charge: () => undefined,
  maxAnswerBytes: Infinity,
};
