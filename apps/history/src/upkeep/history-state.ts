import type { Indicator } from '@forecourt/runtime/service';

/** Whether the tables are there. */
export class HistoryState {
  isReady = false;
}

export function tablesIndicator(state: HistoryState): Indicator {
  return {
    name: 'tables',
    check: async () => {
      if (!state.isReady) throw new Error('the database has not answered yet');
    },
  };
}
