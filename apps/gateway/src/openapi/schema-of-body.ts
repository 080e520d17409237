import type { Type } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';
import { type JsonSchema, schemaNamed } from './json-schema.js';

interface Rule {
  readonly propertyName: string;
  readonly name?: string;
  readonly type: string;
  readonly constraints?: readonly unknown[];
}

/**
 * The JSON Schema of a request body, from the rules that validate its DTO. `about`: what each field means. Throws `Error` for
 * a rule that it does not know, so that a new rule cannot be missing from the documentation.
 */
export function schemaOfBody<T extends object>(
  dto: Type<T>,
  about: Readonly<Record<keyof T & string, string>>,
): JsonSchema {
  const rules = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false) as Rule[];
  const fields = Object.entries<string>(about).map(([field, description]) => {
    const own = rules.filter(({ propertyName }) => propertyName === field);
    if (own.length === 0) throw new Error(`${dto.name}.${field} has no rules`);
    const isOptional = own.some(isOptionalRule);
    const schemas = own.filter((one) => !isOptionalRule(one)).map(schemaOfRule);
    const schema = schemas.reduce((all, one) => ({ ...all, ...one }), {});
    return { field, isOptional, schema: { ...orNull(schema, isOptional), description } };
  });
  return {
    type: 'object',
    required: fields.filter(({ isOptional }) => !isOptional).map(({ field }) => field),
    properties: Object.fromEntries(fields.map(({ field, schema }) => [field, schema])),
  };
}

function isOptionalRule({ name }: Rule): boolean {
  return name === 'isOptional';
}

function orNull(schema: JsonSchema, isOptional: boolean): JsonSchema {
  return isOptional ? { anyOf: [schema, { type: 'null' }] } : schema;
}

function schemaOfRule({ name, constraints = [] }: Rule): JsonSchema {
  switch (name) {
    case 'isIntegerBetween':
      return { type: 'integer', minimum: constraints[0], maximum: constraints[1] };
    case 'isBase64Text':
      return {
        type: 'string',
        minLength: 4,
        maxLength: constraints[0],
        pattern: '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)?$',
        contentEncoding: 'base64',
      };
    case 'isText':
      return {
        type: 'string',
        minLength: constraints[0],
        maxLength: constraints[1],
        ...(constraints[2] instanceof RegExp && { pattern: constraints[2].source }),
      };
    case 'isDto':
      return schemaNamed((constraints[0] as Type).name);
    case 'isBoolean':
      return { type: 'boolean' };
    case 'isIn':
      return { type: 'string', enum: constraints[0] };
    default:
      throw new Error(`no JSON Schema for the rule ${name}`);
  }
}
