import type { Rights } from '../api/use-caller.js';
import { Ban, Coin, Gauge, Hook, Key, Pool, Rows, Wave } from '../elements/icons.js';

/**
 * The pages, in the order of the navigation. `needs`: the right without which a page does not exist for the
 * caller.
 */
const pages = [
  { to: '/', name: 'Overview', icon: Gauge, needs: null },
  { to: '/sponsorships', name: 'Sponsorships', icon: Rows, needs: null },
  { to: '/refusals', name: 'Refusals', icon: Ban, needs: null },
  { to: '/usage', name: 'Usage', icon: Coin, needs: null },
  { to: '/webhooks', name: 'Webhooks', icon: Hook, needs: null },
  { to: '/limits', name: 'My limits', icon: Key, needs: 'sponsors' },
  { to: '/events', name: 'Events', icon: Wave, needs: null },
  { to: '/pool', name: 'Pool', icon: Pool, needs: 'reads' },
  { to: '/access', name: 'Access', icon: Key, needs: 'reads' },
] as const satisfies readonly {
  readonly to: string;
  readonly name: string;
  readonly icon: () => unknown;
  readonly needs: keyof Rights | null;
}[];

/** The pages that exist for a caller with these rights. */
export function pagesFor(may: Rights) {
  return pages.filter(({ needs }) => needs === null || may[needs]);
}

/** Whether the page at this path, or the page that it belongs to, exists for a caller with these rights. */
export function mayShow(path: string, may: Rights): boolean {
  const page = pages.find(({ to }) => to !== '/' && path.startsWith(to));
  return page === undefined || pagesFor(may).some(({ to }) => to === page.to);
}
