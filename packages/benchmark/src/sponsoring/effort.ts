/** The extent of a run, and the receiver of its progress messages. */
export interface Effort {
  /** Fewer and shorter rounds: for a quick check, not for results. */
  readonly quick: boolean;
  /** Requests of the part about memory. */
  readonly requests: number;
  /** Coins of the part about filling. */
  readonly coins: number;
  readonly say: (text: string) => void;
}
