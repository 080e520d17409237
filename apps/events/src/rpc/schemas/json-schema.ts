/** A JSON Schema of draft 7, the dialect of OpenRPC 1.3. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A reference to a schema among the document's components. */
export function schemaNamed(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** An object with exactly these fields. */
export function objectOf(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return {
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  };
}
