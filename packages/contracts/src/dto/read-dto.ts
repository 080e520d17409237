import { validateSync } from 'class-validator';
import { ForecourtError } from '../errors.js';
import { describeArrived } from './describe-arrived.js';
import { type Dto, hasValidFields } from './valid-fields.js';

type Fields = Record<string, unknown>;

const OPTIONS = { stopAtFirstError: true };

/**
 * Reads a value as a DTO: values are not converted, and unknown fields are dropped. Throws INVALID_REQUEST
 * naming the DTO, every invalid field, and the received value.
 */
export function readDto<T extends object>(dto: Dto<T>, value: unknown): T {
  const { instance, problems } = checkDto(dto, value);
  if (problems.length === 0) return instance;
  throw new ForecourtError('INVALID_REQUEST', `Invalid ${dto.name}: ${problems.join('; ')}`);
}

/** Reads JSON text as a DTO. Throws INVALID_REQUEST. */
export function readJsonDto<T extends object>(dto: Dto<T>, text: string): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new ForecourtError('INVALID_REQUEST', `Invalid ${dto.name}: not JSON`, { cause });
  }
  return readDto(dto, value);
}

/** A value as a DTO, with its problems. `path` names the value if it is part of another one. */
export function checkDto<T extends object>(
  dto: Dto<T>,
  value: unknown,
  path = '',
): { readonly instance: T; readonly problems: readonly string[] } {
  const instance = new dto();
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const problem = `${path || 'value'} must be an object; got ${describeArrived(value)}`;
    return { instance, problems: [problem] };
  }
  // A DTO declares all of its fields, so its keys are the known fields.
  const [from, to] = [value as Fields, instance as Fields];
  for (const field of Object.keys(instance)) {
    if (Object.hasOwn(from, field)) to[field] = from[field];
  }
  if (hasValidFields(dto, instance)) return { instance, problems: [] };
  const problems = validateSync(instance, OPTIONS)
    .flatMap(({ constraints }) => Object.values(constraints ?? {}))
    .map((problem) => (path ? `${path}.${problem}` : problem));
  return { instance, problems };
}
