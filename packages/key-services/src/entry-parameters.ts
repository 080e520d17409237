const USUAL = ['address', 'timeout-ms', 'in-flight'];
const BOUNDS = { 'timeout-ms': [50, 30_000], 'in-flight': [1, 1_000] } as const;

/**
 * Reads the parameters of a URL, of a kind with those of `own`. Throws `TypeError` naming one, never with its
 * value.
 */
export function readParameters(
  own: readonly string[],
  search: URLSearchParams,
): Readonly<Record<string, string>> {
  const known = [...USUAL, ...own];
  const read: Record<string, string> = {};
  for (const [name, value] of search) {
    if (!known.includes(name)) {
      throw new TypeError(`unknown parameter ${shorten(name)}; known are ${known.join(', ')}`);
    }
    if (value === '') throw new TypeError(`${name} is empty`);
    if (Object.hasOwn(read, name)) throw new TypeError(`${name} is given twice`);
    read[name] = value;
  }
  for (const [name, [min, max]] of Object.entries(BOUNDS)) {
    const text = read[name];
    if (text === undefined) continue;
    if (!/^\d{1,6}$/.test(text) || Number(text) < min || Number(text) > max) {
      throw new TypeError(`${name} must be an integer from ${min} to ${max}`);
    }
  }
  return read;
}

/** A secret pasted into the place of a name does not appear in full. */
function shorten(name: string): string {
  return name.length > 16 ? `${name.slice(0, 8)}…` : name;
}
