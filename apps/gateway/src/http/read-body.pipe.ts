import { Injectable, type PipeTransform, type Type } from '@nestjs/common';
import { checkDto, ForecourtError } from '@forecourt/contracts';
import { UnreadBody } from './unread-body.js';
import { wrongContentType } from './wrong-content-type.js';

/**
 * Reads a JSON body as a DTO of the contract. Throws INVALID_REQUEST naming each field, its bounds and what arrived.
 * Values are not converted; fields that the DTO does not have are dropped.
 */
@Injectable()
export class ReadBody<T extends object> implements PipeTransform<unknown, T> {
  constructor(private readonly dto: Type<T>) {}

  transform(body: unknown): T {
    if (body instanceof UnreadBody) throw wrongContentType(body.contentType);
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      throw new ForecourtError('INVALID_REQUEST', 'The body must be a JSON object');
    }
    const { instance, problems } = checkDto(this.dto, body);
    if (problems.length > 0) throw new ForecourtError('INVALID_REQUEST', problems.join('; '));
    return instance;
  }
}
