/** Counts the bytes that are held for somebody. */
export class HeldBytes {
  #bytes = 0;

  /** `onTaken` hears of every addition. */
  constructor(private readonly onTaken?: (bytes: number) => void) {}

  get bytes(): number {
    return this.#bytes;
  }

  /** The result, called once, gives the bytes back. */
  take(bytes: number): () => void {
    this.#bytes += bytes;
    this.onTaken?.(bytes);
    let isHeld = true;
    return () => {
      if (isHeld) this.#bytes -= bytes;
      isHeld = false;
    };
  }
}
