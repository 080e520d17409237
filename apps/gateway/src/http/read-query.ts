import type { ArgumentMetadata, PipeTransform, Type } from '@nestjs/common';
import { checkDto, describeArrived, ForecourtError } from '@forecourt/contracts';

const MAX_SHOWN_NAME = 40;

/**
 * Reads a query as the DTO that the handler declares, whose fields are texts. Throws INVALID_REQUEST naming
 * each parameter with the received and the expected value, also for a parameter that the DTO does not have:
 * without that filter the answer would show records that the caller wants to exclude.
 */
export class ReadQuery implements PipeTransform {
  transform(value: unknown, { type, metatype, data }: ArgumentMetadata): unknown {
    if (type !== 'query' || data !== undefined || !metatype || isBuiltIn(metatype)) return value;
    const dto = metatype as Type<object>;
    const query = { ...(value as Record<string, unknown>) };
    const known = Object.keys(new dto());
    const unknown = Object.entries(query)
      .filter(([name]) => !known.includes(name))
      .map(([name, arrived]) => describeUnknown(name, arrived, known));
    const { instance, problems } = checkDto(dto, query);
    const all = [...unknown, ...problems];
    if (all.length > 0) throw new ForecourtError('INVALID_REQUEST', all.join('; '));
    return instance;
  }
}

const isBuiltIn = (metatype: unknown) => metatype === Object || metatype === String;

function describeUnknown(name: string, arrived: unknown, known: readonly string[]): string {
  const excerpt = name.length > MAX_SHOWN_NAME ? `${name.slice(0, MAX_SHOWN_NAME)}…` : name;
  return `${excerpt} is not one of the parameters ${known.join(', ')}; got ${describeArrived(arrived)}`;
}
