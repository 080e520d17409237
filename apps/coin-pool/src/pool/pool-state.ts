import type { Indicator } from '@forecourt/runtime/service';

/** This process's knowledge of its pools. */
export class PoolState {
  /** Reservations begin once the pools of the initial sponsors are open. */
  opened = false;
  /** The network of the open pools; null before. */
  chain: string | null = null;
  /** The sponsors whose pools are open. */
  readonly sponsors = new Set<string>();
}

/** Every sponsor's pool is open on the node's network. */
export function poolIndicator(state: PoolState): Indicator {
  return {
    name: 'pool',
    check: async () => {
      if (!state.opened) throw new Error('not open yet');
    },
  };
}
