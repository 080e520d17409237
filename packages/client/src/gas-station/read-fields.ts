import { AMOUNT_FIELDS } from './gateway-results.js';

/** The JSON object in a text; an empty one for anything else, such as a page of a proxy. */
export function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

type TypeName = 'string' | 'number' | 'boolean' | 'object';

/** The required fields, with their types. */
export type FieldTypes<T> = { readonly [Field in keyof T]?: TypeName };

/**
 * The fields of an object in an answer, with their names in camelCase and unchanged values. Throws
 * `TypeError` naming a field whose type differs from `types`.
 */
export function readFields<T extends object>(value: unknown, types: FieldTypes<T>): T {
  if (typeof value !== 'object' || value === null) throw new TypeError('it is not an object');
  const fields = Object.fromEntries(
    Object.entries(value).map(([name, field]: [string, unknown]) => [inCamelCase(name), field]),
  );
  for (const [name, type] of Object.entries(types)) {
    const field = fields[name];
    if (typeof field !== type || field === null) {
      throw new TypeError(`${name} must be of type ${String(type)}`);
    }
  }
  return fields as T;
}

/** The fields of the object `result` in an answer. Throws `SyntaxError` and `TypeError`. */
export function readResult<T extends object>(text: string, types: FieldTypes<T>): T {
  const { result } = readFields<{ result: object }>(JSON.parse(text), { result: 'object' });
  return readFields<T>(result, types);
}

/** JSON with names in camelCase at every depth, and with amounts, which are texts, as `bigint`. */
export function readNested(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(readNested);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]: [string, unknown]) => [
      inCamelCase(name),
      AMOUNT_FIELDS.has(name) && typeof field === 'string' ? BigInt(field) : readNested(field),
    ]),
  );
}

function inCamelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
