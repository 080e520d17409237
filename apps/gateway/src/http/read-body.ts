import type { ArgumentMetadata, PipeTransform, Type } from '@nestjs/common';
import { checkDto, ForecourtError } from '@forecourt/contracts';
import { UnreadBody } from './unread-body.js';

/**
 * Reads a JSON body as the DTO that the handler declares. Throws INVALID_REQUEST naming each field, its
 * bounds and its value. Values are not converted; fields that the DTO does not have are dropped.
 */
export class ReadBody implements PipeTransform {
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if (type !== 'body') return value;
    const dto = metatype as Type<object>;
    // The compatibility port has read it already, within its own limits.
    if (dto !== Object && value instanceof dto) return value;
    if (value instanceof UnreadBody) throw wrongContentType(value.contentType);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new ForecourtError('INVALID_REQUEST', 'The body must be a JSON object');
    }
    const { instance, problems } = checkDto(dto, value);
    if (problems.length > 0) throw new ForecourtError('INVALID_REQUEST', problems.join('; '));
    return instance;
  }
}

const MAX_SHOWN_TYPE = 100;

/** INVALID_REQUEST that names the content type; undefined: the request has none. */
export function wrongContentType(contentType: string | undefined): ForecourtError {
  const arrived =
    contentType === undefined ? 'none' : JSON.stringify(contentType.slice(0, MAX_SHOWN_TYPE));
  return new ForecourtError(
    'INVALID_REQUEST',
    `Content-Type must be application/json; got ${arrived}`,
  );
}
