/** The node calls for one request or for the service itself, and their limits. */
export interface NodeSession {
  /**
   * Runs one call in its turn. `signal` aborts if the response is no longer needed; it is null for a caller that never
   * disconnects.
   */
  call<T>(run: (signal: AbortSignal | null) => Promise<T>): Promise<T>;
  /** Counts memory in use until the returned function is called or the session ends. */
  addMemory(bytes: number): () => void;
  /** Charges the client for the size of a response. */
  charge(bytes: number): void;
  /** Larger responses of the node are not read. */
  readonly maxResponseBytes: number;
}

/** For the event stream and the health probes: unlimited. */
export const SERVICE_SESSION: NodeSession = {
  call: (run) => run(null),
  addMemory: () => () => undefined,
  charge: () => undefined,
  maxResponseBytes: Infinity,
};
