/** Counts bytes of memory in use. */
export class ByteCounter {
  #bytes = 0;

  /** `onAdded` is called with every addition. */
  constructor(private readonly onAdded?: (bytes: number) => void) {}

  get bytes(): number {
    return this.#bytes;
  }

  /** Returns a function that subtracts the bytes again; calling it more than once has no effect. */
  add(bytes: number): () => void {
    this.#bytes += bytes;
    this.onAdded?.(bytes);
    let isCounted = true;
    return () => {
      if (isCounted) this.#bytes -= bytes;
      isCounted = false;
    };
  }
}
