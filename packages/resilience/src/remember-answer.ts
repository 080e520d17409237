/**
 * Shares answers of `read`: an answer serves all that ask for its key within `freshMs` after its reading
 * began; by default, while it is read. A failure serves only those that ask before it is known. Further
 * arguments are those of the first that asks.
 */
export function rememberAnswer<T, K = void, Rest extends readonly unknown[] = []>(
  read: (key: K, ...rest: Rest) => Promise<T>,
  freshMs: number | null = null,
): (key: K, ...rest: Rest) => Promise<T> {
  const known = new Map<K, { readonly answer: Promise<T>; readonly until: number }>();
  return (key, ...rest) => {
    const now = performance.now();
    const last = known.get(key);
    if (last && now < last.until) return last.answer;
    const latest = { answer: read(key, ...rest), until: now + (freshMs ?? Infinity) };
    known.set(key, latest);
    const forget = () => {
      if (known.get(key) === latest) known.delete(key);
    };
    latest.answer.then(freshMs === null ? forget : undefined, forget);
    return latest.answer;
  };
}
