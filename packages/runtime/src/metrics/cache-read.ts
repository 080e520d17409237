/** Lifetime of a cached figure that several metrics or scrapers share. */
const FRESH_MS = 1_000;

/** Caches the result of `read` for `freshMs`; a failure is not cached. */
export function cacheRead<T>(read: () => Promise<T>, freshMs = FRESH_MS): () => Promise<T> {
  let known: { readonly value: Promise<T>; readonly at: number } | null = null;
  return () => {
    const now = performance.now();
    if (known && now - known.at < freshMs) return known.value;
    const value = read();
    known = { value, at: now };
    value.catch(() => {
      if (known?.value === value) known = null;
    });
    return value;
  };
}
