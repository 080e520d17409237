/** A JSON Schema of the dialect of OpenAPI 3.1 (2020-12), or a reference to one. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export const objectId = { type: 'string', pattern: '^0x[0-9a-f]{64}$' };
export const digest = { type: 'string', description: 'Base58', minLength: 32, maxLength: 44 };
export const decimal = { type: 'string', pattern: '^-?[0-9]+$' };
export const reservationId = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER };

/** A schema with exactly the fields of a wire type. */
export function objectOf<T>(
  properties: Readonly<Record<keyof T & string, JsonSchema>>,
): JsonSchema {
  return { type: 'object', required: Object.keys(properties), properties };
}

/** A reference to a schema of the document's components. */
export function schemaNamed(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}
