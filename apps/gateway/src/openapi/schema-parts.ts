import type { JsonSchema } from './json-schema.js';

export const objectId = { type: 'string', pattern: '^0x[0-9a-f]{64}$' };
export const decimal = { type: 'string', pattern: '^-?[0-9]+$' };

/** A schema with exactly the fields of a wire type. */
export function objectOf<T>(
  properties: Readonly<Record<keyof T & string, JsonSchema>>,
): JsonSchema {
  return { type: 'object', required: Object.keys(properties), properties };
}
