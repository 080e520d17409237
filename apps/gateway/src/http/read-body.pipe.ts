import { Injectable, type PipeTransform, type Type } from '@nestjs/common';
import { ForecourtError } from '@forecourt/contracts';
import { getMetadataStorage, validateSync, type ValidationError } from 'class-validator';

/**
 * Reads a JSON body as a DTO of the contract. Throws INVALID_REQUEST naming each field, its bounds and what arrived.
 * Values are taken as they came (no conversion); fields without a validation rule are left out.
 */
@Injectable()
export class ReadBody<T extends object> implements PipeTransform<unknown, T> {
  private readonly fields: ReadonlySet<string>;

  constructor(private readonly dto: Type<T>) {
    const rules = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
    this.fields = new Set(rules.map(({ propertyName }) => propertyName));
  }

  transform(body: unknown): T {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      throw new ForecourtError('INVALID_REQUEST', 'The body must be a JSON object');
    }
    const request = new this.dto();
    for (const field of this.fields) {
      if (Object.hasOwn(body, field)) {
        Object.assign(request, { [field]: (body as Record<string, unknown>)[field] });
      }
    }
    const errors = validateSync(request, { stopAtFirstError: true });
    if (errors.length > 0) {
      throw new ForecourtError('INVALID_REQUEST', errors.map(describe).join('; '));
    }
    return request;
  }
}

function describe(error: ValidationError): string {
  return Object.values(error.constraints ?? {}).join('; ');
}
