/** A JSON Schema of the dialect of OpenAPI 3.1 (2020-12), or a reference to one. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A schema that stands among the document's components. */
export function schemaNamed(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}
