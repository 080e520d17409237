import type { EventFilter, LedgerEvents, StoredEventRecord } from '@forecourt/client';
import { useEffect, useState } from 'react';

/** More than anybody reads, and little memory. */
const MOST_SHOWN = 500;

export interface LiveEvents {
  /** Newest first. */
  readonly records: readonly StoredEventRecord[];
  readonly state: 'connecting' | 'connected' | 'lost';
  readonly error: Error | null;
}

const NOTHING: LiveEvents = { records: [], state: 'connecting', error: null };

/**
 * Follows events while there is a filter. The client resumes after a lost connection: none is missed or
 * repeated.
 */
export function useLiveEvents(ledger: LedgerEvents, filter: EventFilter | null): LiveEvents {
  const [live, setLive] = useState(NOTHING);
  const key = JSON.stringify(filter);
  useEffect(() => {
    setLive(NOTHING);
    const eventFilter = JSON.parse(key) as EventFilter | null;
    if (eventFilter === null) return;
    const control = new AbortController();
    const change = (over: Partial<LiveEvents>) => {
      if (!control.signal.aborted) setLive((before) => ({ ...before, ...over }));
    };
    const follow = async () => {
      const events = ledger.subscribe(eventFilter, {
        signal: control.signal,
        onConnect: () => change({ state: 'connected' }),
        onDisconnect: () => change({ state: 'lost' }),
      });
      for await (const record of events) {
        if (control.signal.aborted) return;
        setLive((before) => ({
          ...before,
          records: [record, ...before.records].slice(0, MOST_SHOWN),
        }));
      }
    };
    follow().catch((error: Error) => change({ error, state: 'lost' }));
    return () => control.abort();
  }, [ledger, key]);
  return live;
}
