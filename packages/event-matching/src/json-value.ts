/**
 * A string that is the same for two JSON values if and only if they are equal. The order of keys does not matter, and an
 * integer equals its decimal string, because JSON carries u64 as a string.
 */
export function jsonKey(value: unknown): string {
  if (typeof value === 'string') return DECIMAL.test(value) ? `n${value}` : JSON.stringify(value);
  if (typeof value === 'number') {
    return Number.isInteger(value) ? `n${value === 0 ? 0 : BigInt(value)}` : `f${value}`;
  }
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map(jsonKey).join(',')}]`;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, one]) => `${JSON.stringify(key)}:${jsonKey(one)}`).join(',')}}`;
}

const DECIMAL = /^(0|-?[1-9]\d*)$/;
const INDEX = /^(0|[1-9]\d*)$/;

/** The value that a JSON pointer's tokens (RFC 6901) refer to; undefined when there is none. */
export function resolvePointer(document: unknown, tokens: readonly string[]): unknown {
  let value = document;
  for (const token of tokens) {
    if (typeof value !== 'object' || value === null) return undefined;
    if (Array.isArray(value) && !INDEX.test(token)) return undefined;
    // Own properties only: prototypes must not be reachable.
    if (!Object.hasOwn(value, token)) return undefined;
    value = (value as Record<string, unknown>)[token];
  }
  return value;
}
