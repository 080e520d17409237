/** What this process knows of its pools. */
export class PoolState {
  /** Until the pools of the sponsors that were there at start are opened nothing is reserved. */
  opened = false;
  /** The network they were opened for; null before. */
  chain: string | null = null;
  /** The sponsors whose pools are open. */
  readonly sponsors = new Set<string>();
}
