import type { Indicator } from '@forecourt/runtime/service';

/** Every sponsor's pool is open on the node's network. */
export function poolIndicator(state: { readonly opened: boolean }): Indicator {
  return {
    name: 'pool',
    check: async () => {
      if (!state.opened) throw new Error('not opened yet');
    },
  };
}
