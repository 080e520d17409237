import type { ReactNode } from 'react';
import { Identifier } from '../../elements/facts.js';

/** Sponsors without key and coins, apart from those in use. */
export function RetiredSponsors<T extends { readonly sponsor_address: string }>({
  sponsors,
  actionsOf,
}: {
  readonly sponsors: readonly T[];
  readonly actionsOf?: (sponsor: T) => ReactNode;
}) {
  if (sponsors.length === 0) return null;
  return (
    <section aria-label="Retired sponsors" className="bg-sunken/50 px-4 py-3 text-soft">
      <h3 className="text-xs font-medium">Retired: without key and coins</h3>
      <ul>
        {sponsors.map((sponsor) => (
          <li
            key={sponsor.sponsor_address}
            className="flex flex-wrap items-center justify-between gap-2 pt-1.5"
          >
            <Identifier id={sponsor.sponsor_address} kept={6} />
            {actionsOf?.(sponsor)}
          </li>
        ))}
      </ul>
    </section>
  );
}
