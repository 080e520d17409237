/** What this process knows of its pools. */
export class PoolState {
  /** Until the pools are opened nothing is reserved. */
  opened = false;
  /** The network they were opened for; null before. */
  chain: string | null = null;
}
