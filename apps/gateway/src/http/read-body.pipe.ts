import type { ArgumentMetadata, PipeTransform, Type } from '@nestjs/common';
import { checkDto, ForecourtError } from '@forecourt/contracts';
import { UnreadBody } from './unread-body.js';
import { wrongContentType } from './wrong-content-type.js';

/**
 * Reads a JSON body as the DTO that the handler declares. Throws INVALID_REQUEST naming each field, its bounds and the
 * received value. Values are not converted; fields that the DTO does not have are dropped.
 */
export class ReadBody implements PipeTransform {
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if (type !== 'body') return value;
    if (value instanceof UnreadBody) throw wrongContentType(value.contentType);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new ForecourtError('INVALID_REQUEST', 'The body must be a JSON object');
    }
    const { instance, problems } = checkDto(metatype as Type<object>, value);
    if (problems.length > 0) throw new ForecourtError('INVALID_REQUEST', problems.join('; '));
    return instance;
  }
}
