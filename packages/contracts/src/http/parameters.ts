import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { IsOptional, ValidateBy } from 'class-validator';
import { ADDRESS, describeArrived, IsOneOf, IsText, type TextOptions } from '../dto/index.js';
import { canonicalDigest } from '../ledger-events/canonical.js';

// Parameters of a query: each decorator validates the text of an optional parameter and documents it.

/** An integer within closed bounds. */
export function IntegerParameter(
  min: number,
  max: number,
  about: { readonly description?: string; readonly default?: number },
) {
  const validate = isTextOf(
    `an integer from ${min} to ${max}`,
    (text) => /^\d{1,16}$/.test(text) && Number(text) >= min && Number(text) <= max,
  );
  return parameter(validate, { type: 'integer', minimum: min, maximum: max, ...about });
}

/** The last of the times that every part of the fleet can handle. */
const LATEST_TIME = Date.UTC(9999, 0) - 1;

/** Milliseconds since 1970. */
export function TimeParameter(description: string) {
  return IntegerParameter(0, LATEST_TIME, {
    description: `${description}, in milliseconds since 1970.`,
  });
}

export function TextParameter(
  options: Required<Pick<TextOptions, 'maxLength' | 'format'>>,
  description: string,
) {
  const { maxLength, format } = options;
  const schema = { type: 'string', minLength: 1, maxLength, pattern: format[0].source } as const;
  return parameter(IsText(options), { ...schema, description });
}

export function AddressParameter(description: string) {
  return TextParameter(ADDRESS, description);
}

export function OneOfParameter(values: readonly string[], description: string) {
  return parameter(IsOneOf(values), { enum: [...values], description });
}

/** A list separated by commas, without repetitions. */
export function ListParameter(values: readonly string[], description: string) {
  const validate = isTextOf(`a list, without repetitions, of ${values.join(', ')}`, (text) => {
    const items = text.split(',');
    return new Set(items).size === items.length && items.every((one) => values.includes(one));
  });
  const one = `(?:${values.join('|')})`;
  return parameter(validate, { type: 'string', pattern: `^${one}(?:,${one})*$`, description });
}

/** 32 bytes in base58, of which a pattern can only describe the length and the letters, or in base64. */
export const DIGEST_PATTERN =
  '^(?:[1-9A-HJ-NP-Za-km-z]{32,44}|[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=)$';

export function DigestParameter(description: string) {
  const validate = isTextOf('32 bytes in base58 or base64', (text) => readDigest(text) !== null);
  return parameter(validate, { type: 'string', pattern: DIGEST_PATTERN, description });
}

/**
 * A digest in base64; null for anything else. In a query, a plus sign that is not escaped reads as a blank;
 * base64 has no blanks.
 */
export function readDigest(value: unknown): string | null {
  return canonicalDigest(typeof value === 'string' ? value.replaceAll(' ', '+') : value);
}

function parameter(validate: PropertyDecorator, schema: ApiPropertyOptions) {
  const documented = { ...schema, required: false } as ApiPropertyOptions;
  return applyDecorators(IsOptional(), validate, ApiProperty(documented));
}

function isTextOf(expected: string, accepts: (text: string) => boolean) {
  return ValidateBy({
    name: 'isTextOf',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && accepts(value),
      defaultMessage: (args) =>
        `${args?.property} must be ${expected}; got ${describeArrived(args?.value)}`,
    },
  });
}
