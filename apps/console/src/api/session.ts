import { useSyncExternalStore } from 'react';

/**
 * Session storage: another tab, and a browser that was closed, must sign in again. A URL never has the token.
 */
const KEY = 'forecourt.token';

const listeners = new Set<() => void>();
let reason: string | null = null;

/** The token of this tab. */
export const session = {
  get token(): string | null {
    return sessionStorage.getItem(KEY);
  },
  /** Why the last session ended; null: the user ended it, or there was none. */
  get endReason(): string | null {
    return reason;
  },
  begin(token: string): void {
    reason = null;
    sessionStorage.setItem(KEY, token);
    notify();
  },
  end(why: string | null = null): void {
    reason = why;
    sessionStorage.removeItem(KEY);
    notify();
  },
};

function notify(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The token, for components that follow it. */
export function useToken(): string | null {
  return useSyncExternalStore(subscribe, () => session.token);
}
