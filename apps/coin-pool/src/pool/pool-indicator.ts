import type { Indicator } from '@forecourt/runtime/service';
import type { PoolState } from './pool-state.js';

/** Every sponsor's pool is open on the node's network. */
export function poolIndicator(state: PoolState): Indicator {
  return {
    name: 'pool',
    check: async () => {
      if (!state.opened) throw new Error('not open yet');
    },
  };
}
