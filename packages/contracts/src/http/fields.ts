import { applyDecorators } from '@nestjs/common';
import {
  ApiProperty,
  type ApiPropertyOptions,
  ApiSchema,
  type ApiSchemaOptions,
} from '@nestjs/swagger';
import { IsBoolean, IsOptional } from 'class-validator';
import {
  ADDRESS,
  type Dto,
  IsAmount,
  IsBase64Text,
  IsDto,
  IsIntegerBetween,
  IsOneOf,
  IsText,
  type TextOptions,
} from '../dto/index.js';

/** The documentation of a field. */
interface About {
  readonly description?: string;
  readonly example?: unknown;
  /** The field may be absent or null. */
  readonly optional?: boolean;
}

// Fields of requests: each decorator validates a field and documents it.

/** An integer within closed bounds. */
export function IntegerField(min: number, max: number, about: About) {
  const schema = { type: 'integer', minimum: min, maximum: max } as const;
  return field(IsIntegerBetween(min, max), schema, about);
}

/** Text, as `IsText` validates it. */
export function TextField(options: TextOptions, about: About) {
  const { minLength = 1, maxLength, format } = options;
  const pattern = format && { pattern: format[0].source };
  return field(IsText(options), { type: 'string', minLength, maxLength, ...pattern }, about);
}

export function AddressField(about: About) {
  return TextField(ADDRESS, { ...(!about.optional && { example: EXAMPLE_ADDRESS }), ...about });
}

/** An amount above 0, in the ledger's smallest unit. */
export function AmountField(about: About) {
  return field(IsAmount(), { type: 'string', pattern: '^[1-9][0-9]{0,18}$' }, about);
}

/** The reason of an operator's action. */
export function ReasonField(description: string) {
  return TextField({ maxLength: 300 }, { description, example: 'key rotation' });
}

export function Base64Field(maxLength: number, about: About) {
  const pattern = '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)?$';
  const schema = { type: 'string', minLength: 4, maxLength, pattern, ...BASE64 } as const;
  return field(IsBase64Text(maxLength), schema, { ...(!about.optional && EXAMPLE_BCS), ...about });
}

export function OneOfField(values: readonly string[], about: About) {
  return field(IsOneOf(values), { enum: [...values] }, about);
}

export function BooleanField(about: About) {
  return field(IsBoolean(), { type: 'boolean' }, about);
}

/** A field that is itself a DTO. */
export function DtoField(dto: Dto, about: About) {
  return field(IsDto(dto), { type: dto }, about);
}

function field(
  validate: PropertyDecorator,
  schema: ApiPropertyOptions,
  { optional = false, ...about }: About,
) {
  const documented = { ...schema, ...about } as ApiPropertyOptions;
  if (!optional) return applyDecorators(validate, ApiProperty(documented));
  const absent = { required: false, nullable: true } as const;
  return applyDecorators(
    IsOptional(),
    validate,
    ApiProperty({ ...documented, ...absent } as ApiPropertyOptions),
  );
}

/** Documents that exactly one of two fields is given. */
export function ExactlyOneOf(...fields: readonly [string, string]) {
  return alternatives(fields, (given, other) => ({
    required: [given],
    properties: { [given]: { type: 'string' }, [other]: { type: 'null' } },
  }));
}

/** Documents that at most one of two fields is given. */
export function AtMostOneOf(...fields: readonly [string, string]) {
  return alternatives(fields, (_given, other) => ({ properties: { [other]: { type: 'null' } } }));
}

function alternatives(
  [one, other]: readonly [string, string],
  schemaOf: (given: string, other: string) => object,
) {
  // Swagger copies all options into the schema, though its type names only two.
  return ApiSchema({ anyOf: [schemaOf(one, other), schemaOf(other, one)] } as ApiSchemaOptions);
}

// Schemas of the fields of answers, for `ApiProperty`.

const EXAMPLE_ADDRESS = `0x${'a0'.repeat(32)}`;
const BASE64 = { contentEncoding: 'base64' };
const EXAMPLE_BCS = { example: 'AAAA' };

/** An address or object id, in full form. */
export const FULL_ADDRESS = {
  type: 'string',
  pattern: '^0x[0-9a-f]{64}$',
  example: EXAMPLE_ADDRESS,
} as const;

export const DIGEST = {
  type: 'string',
  description: 'Base58.',
  minLength: 32,
  maxLength: 44,
  example: '5Zu9k2yqkC6Nwn1ZqKZf1Yb1PpVY5qk8G2bVqW8tE4cC',
} as const;

/** An amount in the ledger's smallest unit. */
export const AMOUNT = {
  type: 'string',
  pattern: '^-?[0-9]+$',
  description: 'In the ledger’s smallest unit.',
  example: '1980400',
} as const;

export const RESERVATION_ID = {
  type: 'integer',
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  example: 487_777_254_309_888,
} as const;

export const TIME = {
  type: 'integer',
  description: 'Milliseconds since 1970.',
  example: 1_760_000_000_000,
} as const;

export const COUNT = { type: 'integer', minimum: 0, example: 1 } as const;

/** BCS in base64. */
export const BCS = { type: 'string', ...BASE64, ...EXAMPLE_BCS } as const;

/** Text, or null. */
export const TEXT_OR_NULL = { type: 'string', nullable: true } as const;

/** An object whose keys are states. */
export function byState(schema: object) {
  return { type: 'object', additionalProperties: schema } as const;
}

/** A list of objects in the ledger's own JSON. */
export const LEDGER_JSON = {
  type: 'array',
  items: {},
  description: 'In the ledger’s own JSON.',
  example: [],
} as const;
