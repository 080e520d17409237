/**
 * A text that two JSON values share exactly when they are equal: regardless of the order of keys, and with an integer
 * equal to its decimal string, since u64 travels as a string.
 */
export function jsonKey(value: unknown): string {
  if (typeof value === 'string') return DECIMAL.test(value) ? `n${value}` : JSON.stringify(value);
  if (typeof value === 'number') {
    // Both zeros are the same number.
    return Number.isInteger(value) ? `n${value === 0 ? 0 : BigInt(value)}` : `f${value}`;
  }
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map(jsonKey).join(',')}]`;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, one]) => `${JSON.stringify(key)}:${jsonKey(one)}`).join(',')}}`;
}

const DECIMAL = /^(0|-?[1-9]\d*)$/;
const INDEX = /^(0|[1-9]\d*)$/;

/** What a JSON pointer's tokens (RFC 6901) lead to; undefined when they lead nowhere. */
export function resolvePointer(document: unknown, tokens: readonly string[]): unknown {
  let value = document;
  for (const token of tokens) {
    if (typeof value !== 'object' || value === null) return undefined;
    if (Array.isArray(value) && !INDEX.test(token)) return undefined;
    // Only what the document holds itself: no prototype is walked into.
    if (!Object.hasOwn(value, token)) return undefined;
    value = (value as Record<string, unknown>)[token];
  }
  return value;
}
