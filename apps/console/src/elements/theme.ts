import { useSyncExternalStore } from 'react';

const KEY = 'forecourt.theme';
const root = document.documentElement;

export type Theme = 'light' | 'dark';

function subscribe(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(root, { attributeFilter: ['data-theme'] });
  return () => observer.disconnect();
}

/** The theme of the page; `choose-theme.js` sets it before the first paint. */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, () =>
    root.dataset['theme'] === 'dark' ? 'dark' : 'light',
  );
}

export function setTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme);
  root.dataset['theme'] = theme;
}
