interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly nullable?: boolean;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly pattern?: string;
  readonly description?: string;
}

interface Body {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema: Schema;
  }[];
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Body>>;
}

/** The parts of an OpenAPI document that types are made of. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** The pattern of amounts, which may be beyond JSON's exact numbers. */
const AMOUNT = '^-?[0-9]+$';

/** Renders the gateway's API as TypeScript: its schemas, its operations and their routes. */
export function renderGatewayTypes(document: ApiDocument): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const { schemas } = document.components;
  return [
    ...Object.entries(schemas).map(([name, schema]) => declare(name, schema)),
    `export interface Operations {\n${operations.map(({ operation }) => describe(operation)).join('\n')}\n}`,
    `export const routes = {\n${operations
      .map(
        ({ path, method, operation }) =>
          `${operation.operationId}: ['${method.toUpperCase()}', '${path}'],`,
      )
      .join('\n')}\n} as const;`,
  ].join('\n\n');
}

/**
 * Renders some schemas, and those that they refer to, as the client package gives them to applications: names
 * in camelCase, amounts as `bigint`. `names`: the schema → the name of its type, if that is another.
 */
export function renderClientTypes(
  document: ApiDocument,
  names: Readonly<Record<string, string>>,
): string {
  const amounts = new Set<string>();
  const schemas = schemasOf(document, Object.keys(names), (field, { pattern }) => {
    if (pattern === AMOUNT) amounts.add(field);
  });
  const forClients: Form = {
    nameOf: (name) => names[name] ?? name,
    fieldOf: (name) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    amount: 'bigint',
    isDescribed: true,
  };
  return [
    ...schemas.map(([name, schema]) => declare(name, schema, forClients)),
    `/** The fields with amounts, by their names in answers. */
export const AMOUNT_FIELDS: ReadonlySet<string> = new Set(${JSON.stringify([...amounts].sort())});`,
  ].join('\n\n');
}

/**
 * Renders a schema of the ledger's own JSON, and those that it refers to, as they are: it is passed on
 * unchanged.
 */
export function renderLedgerTypes(document: ApiDocument, name: string): string {
  return schemasOf(document, [name])
    .map(([one, schema]) => declare(one, schema, { ...AS_SENT, isDescribed: true }))
    .join('\n\n');
}

/** The schemas with these names, and those that they refer to. `visit` sees all their parts. */
function schemasOf(
  { components: { schemas } }: ApiDocument,
  names: readonly string[],
  visit?: (key: string, part: Schema) => void,
): (readonly [name: string, schema: Schema])[] {
  const needed = new Set<string>();
  const collect = (name: string) => {
    if (needed.has(name)) return;
    needed.add(name);
    JSON.stringify(schemas[name], (key, value: Schema | null) => {
      if (value !== null) visit?.(key, value);
      if (value?.$ref !== undefined) collect(referredName(value));
      return value;
    });
  };
  names.forEach(collect);
  return [...needed].map((name) => [name, schemas[name]!]);
}

/** How names and amounts are written. */
interface Form {
  readonly nameOf: (schema: string) => string;
  readonly fieldOf: (name: string) => string;
  readonly amount: 'string' | 'bigint';
  readonly isDescribed: boolean;
}

const AS_SENT: Form = {
  nameOf: (name) => name,
  fieldOf: (name) => name,
  amount: 'string',
  isDescribed: false,
};

function declare(name: string, schema: Schema, form = AS_SENT): string {
  return schema.properties === undefined
    ? `export type ${form.nameOf(name)} = ${typeOf(schema, form)};`
    : `export interface ${form.nameOf(name)} ${typeOf(schema, form)}`;
}

const referredName = ({ $ref }: Schema): string => $ref!.split('/').at(-1)!;

function describe({ operationId, parameters = [], requestBody, responses }: Operation): string {
  const group = (place: string) => {
    const own = parameters.filter((one) => one.in === place);
    if (own.length === 0) return [];
    const fields = own.map(({ name, required, schema }) => {
      // Callers of the fetch API may give numbers as text.
      const type = place === 'path' ? 'string | number' : typeOf(schema);
      return `readonly ${name}${required ? '' : '?'}: ${type}${required ? '' : ' | undefined'};`;
    });
    return [`readonly ${place}: { ${fields.join(' ')} };`];
  };
  const body = requestBody && schemaOf(requestBody);
  const answer = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
  const parts = [
    ...group('path'),
    ...group('query'),
    ...(body ? [`readonly body: ${typeOf(body)};`] : []),
    `readonly answer: ${typeOf(schemaOf(answer) ?? {})};`,
  ];
  return `readonly ${operationId}: { ${parts.join(' ')} };`;
}

const schemaOf = (body: Body | undefined) => body?.content?.['application/json']?.schema;

function typeOf(schema: Schema, form = AS_SENT): string {
  const type = withoutNull(schema, form);
  return schema.nullable && !/\bnull$/.test(type) ? `${type} | null` : type;
}

function withoutNull(schema: Schema, form: Form): string {
  const of = (part: Schema) => typeOf(part, form);
  if (schema.$ref !== undefined) return form.nameOf(referredName(schema));
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.allOf) return schema.allOf.map(of).join(' & ');
  // Beside properties they only restrict which may be given together.
  const choices = schema.properties ? undefined : (schema.anyOf ?? schema.oneOf);
  if (choices) return choices.map(of).join(' | ');
  const { type } = schema;
  if (Array.isArray(type)) {
    return (type as readonly string[]).map((one) => of({ ...schema, type: one })).join(' | ');
  }
  switch (type) {
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
      return schema.pattern === AMOUNT ? form.amount : type;
    case 'boolean':
    case 'null':
      return type;
    case 'array':
      return `readonly (${of(schema.items ?? {})})[]`;
    case 'object':
      return objectOf(schema, form);
    default:
      return schema.properties ? objectOf(schema, form) : 'unknown';
  }
}

function objectOf(schema: Schema, form: Form): string {
  const { properties, required = [], additionalProperties } = schema;
  if (properties === undefined) {
    const values =
      typeof additionalProperties === 'object' ? typeOf(additionalProperties, form) : 'unknown';
    return `Readonly<Record<string, ${values}>>`;
  }
  const fields = Object.entries(properties).map(([name, field]) => {
    const comment = form.isDescribed && field.description ? `/** ${field.description} */\n` : '';
    const mark = required.includes(name) ? '' : '?';
    return `${comment}readonly ${JSON.stringify(form.fieldOf(name))}${mark}: ${typeOf(field, form)};`;
  });
  if (additionalProperties === true) fields.push('readonly [field: string]: unknown;');
  return `{\n${fields.join('\n')}\n}`;
}
