import type { StreamPlaces } from '@forecourt/contracts';

/** Whether a place is another one or comes before it, in the same stream. */
export function isUpTo(place: string, last: string): boolean {
  const [ms, count] = place.split('-').map(Number) as [number, number];
  const [lastMs, lastCount] = last.split('-').map(Number) as [number, number];
  return ms < lastMs || (ms === lastMs && count <= lastCount);
}

/** Whether `places` have reached the others in every stream that both name. */
export function haveReached(places: StreamPlaces, others: StreamPlaces): boolean {
  return Object.entries(others).every(([name, other]) => {
    const place = places[name];
    return place === undefined || isUpTo(other, place);
  });
}

/** The later place in every stream. */
export function latestOf(a: StreamPlaces, b: StreamPlaces): StreamPlaces {
  const latest: Record<string, string> = { ...a };
  for (const [name, place] of Object.entries(b)) {
    const other = latest[name];
    if (other === undefined || isUpTo(other, place)) latest[name] = place;
  }
  return latest;
}
