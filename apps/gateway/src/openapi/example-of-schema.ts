/** The parts of a JSON Schema that an example is made of. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly example?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
}

/** An example of a schema: objects have their required fields, and optional ones that have an example. */
export function exampleOf(schema: Schema, schemas: Readonly<Record<string, Schema>>): unknown {
  const { $ref, type, properties, required, items } = schema;
  if (schema.example !== undefined) return schema.example;
  if ($ref !== undefined) return exampleOf(schemas[$ref.split('/').at(-1)!]!, schemas);
  if (properties !== undefined) {
    const entries = Object.entries(properties).filter(
      ([name, { example }]) => required?.includes(name) || example !== undefined,
    );
    return Object.fromEntries(entries.map(([name, field]) => [name, exampleOf(field, schemas)]));
  }
  const [alternative] = schema.allOf ?? schema.anyOf ?? [];
  if (alternative !== undefined) return exampleOf(alternative, schemas);
  if (schema.enum !== undefined) return schema.enum[0];
  if (type === 'null' || (Array.isArray(type) && type.includes('null'))) return null;
  if (type === 'array') return [exampleOf(items ?? {}, schemas)];
  if (type === 'boolean') return true;
  return type === 'object' ? {} : 'text';
}
