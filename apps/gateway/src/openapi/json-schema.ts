/** A JSON Schema of the dialect of OpenAPI 3.1 (2020-12), or a reference to one. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export const objectId = { type: 'string', pattern: '^0x[0-9a-f]{64}$' };
export const digest = { type: 'string', description: 'Base58', minLength: 32, maxLength: 44 };
/** A digest in a request: 32 bytes in base58, of which only the length and the letters can be described, or in base64. */
export const givenDigest = {
  type: 'string',
  pattern: '^(?:[1-9A-HJ-NP-Za-km-z]{32,44}|[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=)$',
};
export const decimal = { type: 'string', pattern: '^-?[0-9]+$' };
export const reservationId = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER };

/** A schema with exactly the fields of a wire type. */
export function objectOf<T>(
  properties: Readonly<Record<keyof T & string, JsonSchema>>,
): JsonSchema {
  return { type: 'object', required: Object.keys(properties), properties };
}

/** A schema of which at most one of two fields is given, and exactly one if `isRequired`. */
export function exclusive(
  schema: JsonSchema,
  fields: readonly [string, string],
  isRequired: boolean,
): JsonSchema {
  const alternatives = [fields, [...fields].reverse()].map(([given, other]) => ({
    ...(isRequired && { required: [given] }),
    properties: {
      ...(isRequired && { [given]: { type: 'string' } }),
      [other]: { type: 'null' },
    },
  }));
  return { ...schema, anyOf: alternatives };
}

/** A reference to a schema of the document's components. */
export function schemaNamed(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}
