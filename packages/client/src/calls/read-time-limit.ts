/** A time in ms. `name` is the option's. Throws `TypeError`. */
export function readTimeLimit(name: string, ms = 60_000): number {
  if (ms > 0) return ms;
  throw new TypeError(`${name} must be above 0; got ${ms}`);
}
