const MAX_SHOWN = 40;

/** The received value, short enough for an error message: `"5"`, `5.5`, `true`, `nothing`, `an object`. */
export function describeArrived(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  if (typeof value !== 'string') return `${value as number | boolean}`;
  const text = value.length > MAX_SHOWN ? `${value.slice(0, MAX_SHOWN)}…` : value;
  return JSON.stringify(text);
}
