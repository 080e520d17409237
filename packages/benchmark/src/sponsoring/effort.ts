/** How much a run does, and where it tells of its steps. */
export interface Effort {
  /** Fewer and shorter rounds: for a look, not for results. */
  readonly quick: boolean;
  /** Requests of the part about memory. */
  readonly requests: number;
  /** Coins of the part about filling. */
  readonly coins: number;
  readonly say: (text: string) => void;
}
