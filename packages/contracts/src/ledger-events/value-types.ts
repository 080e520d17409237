import {
  canonicalAddress,
  canonicalDigest,
  canonicalStructTag,
  isIdentifier,
} from './canonical.js';
import { type EventKind, eventKinds, type Owner } from './ledger-event.js';
import { isObject, mustBe, readInteger, readOneKey } from './read-value.js';

/** A JSON Schema of draft 7, the dialect of OpenRPC 1.3. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * A type of values in params. `read` takes a value and its place in the params, and throws -32602 naming
 * both.
 */
export interface ValueType<T> {
  readonly schema: JsonSchema;
  read(value: unknown, name: string): T;
}

/** A type whose schema is among the document's components. */
export interface NamedType<T> extends ValueType<T> {
  readonly name: string;
  readonly definition: JsonSchema;
}

export type ValueOf<Type> = Type extends ValueType<infer Value> ? Value : never;

type Types = Readonly<Record<string, ValueType<unknown>>>;

/** A reference to a schema among the document's components. */
export function schemaNamed(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** The schema of an object with exactly these fields. */
export function objectOf(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return {
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

/** The schemas of objects with one of these keys. */
export function oneKeySchemas(types: Types): readonly JsonSchema[] {
  return Object.entries(types).map(([key, { schema }]) => objectOf({ [key]: schema }));
}

/** An object with exactly these fields. */
export function objectWith<T extends Types>(
  types: T,
): ValueType<{ readonly [Field in keyof T]: ValueOf<T[Field]> }> {
  const fields = Object.keys(types);
  const schemas = Object.entries(types).map(([field, { schema }]) => [field, schema] as const);
  return {
    schema: objectOf(Object.fromEntries(schemas)),
    read(value, name) {
      const expected = `an object with ${fields.join(' and ')}`;
      if (!isObject(value)) throw mustBe(name, expected, value);
      const unknownKey = Object.keys(value).find((key) => !fields.includes(key));
      if (unknownKey !== undefined) throw mustBe(name, `${expected} and nothing else`, unknownKey);
      const read = Object.entries(types).map(
        ([field, type]) => [field, type.read(value[field], `${name}.${field}`)] as const,
      );
      return Object.fromEntries(read) as { readonly [Field in keyof T]: ValueOf<T[Field]> };
    },
  };
}

/** A type that `parse` returns null for anything else than. */
function parsed<T>(
  name: string,
  definition: JsonSchema,
  expected: string,
  parse: (value: unknown) => T | null,
): NamedType<T> {
  return {
    name,
    definition,
    schema: schemaNamed(name),
    read(value, place) {
      const result = parse(value);
      if (result === null) throw mustBe(place, expected, value);
      return result;
    },
  };
}

const IDENTIFIER = '[A-Za-z_][A-Za-z0-9_]*';
const ADDRESS = '0[xX][0-9a-fA-F]{1,64}';

/** A non-negative integer that a JSON number carries exactly. */
export const sequence: ValueType<number> = {
  schema: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
  read: readInteger,
};

export const address = parsed<string>(
  'Address',
  {
    type: 'string',
    pattern: `^${ADDRESS}$`,
    description:
      'An address or the id of an object: 0x and hex digits, leading zeros may be left out.',
  },
  'an address: 0x and 1 to 64 hex digits',
  canonicalAddress,
);

export const moduleName = parsed<string>(
  'ModuleName',
  { type: 'string', pattern: `^${IDENTIFIER}$`, maxLength: 128 },
  'a module name',
  (value) => (isIdentifier(value) ? value : null),
);

/** Read in the canonical form. */
export const structTag = parsed<string>(
  'StructTag',
  {
    type: 'string',
    pattern: `^${ADDRESS}::${IDENTIFIER}::${IDENTIFIER}(?:<.+>)?$`,
    maxLength: 4_096,
    description: '<package_id>::<module>::<struct_name>, with type parameters where it has some.',
  },
  '<package_id>::<module>::<struct_name>',
  canonicalStructTag,
);

/** Read in base64. */
export const digest = parsed<string>(
  'TransactionDigest',
  {
    type: 'string',
    minLength: 32,
    maxLength: 44,
    description:
      'The digest of a transaction: in base64 or base58 in params, in base64 in results.',
  },
  'a transaction digest in base64 or base58',
  canonicalDigest,
);

export const eventKind = parsed<EventKind>(
  'EventKind',
  { type: 'string', enum: [...eventKinds] },
  `one of ${eventKinds.join(', ')}`,
  (value) => eventKinds.find((kind) => kind === value) ?? null,
);

export const milliseconds: NamedType<number> = {
  name: 'Milliseconds',
  definition: { ...sequence.schema, description: 'Milliseconds since 1970.' },
  schema: schemaNamed('Milliseconds'),
  read: readInteger,
};

const owners = {
  AddressOwner: address,
  ObjectOwner: address,
  Shared: objectWith({ initial_shared_version: sequence }),
};

export const owner: NamedType<Owner> = {
  name: 'Owner',
  definition: {
    description: 'The owner of an object.',
    oneOf: [...oneKeySchemas(owners), { const: 'Immutable' }],
  },
  schema: schemaNamed('Owner'),
  read(value, name) {
    if (value === 'Immutable') return value;
    const { key, value: argument } = readOneKey(value, name, Object.keys(owners) as OwnerKey[]);
    return { [key]: owners[key].read(argument, `${name}.${key}`) } as Owner;
  },
};

type OwnerKey = keyof typeof owners;

/** The types that the document's schemas refer to by name. */
export const namedTypes: readonly NamedType<unknown>[] = [
  address,
  moduleName,
  structTag,
  digest,
  eventKind,
  owner,
  milliseconds,
];
