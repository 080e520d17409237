import type { ArgumentMetadata, PipeTransform, Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { checkDto, describeArrived, ForecourtError } from '@forecourt/contracts';

/** The content types that curl, and `fetch` with text, send by default. */
const USUAL_MISTAKES = ['application/x-www-form-urlencoded', 'text/plain'];
const MAX_SHOWN_TYPE = 100;
const MAX_SHOWN_NAME = 40;

/** A body that is not read, because its content type is not JSON. */
export class UnreadBody {
  constructor(readonly contentType: string | undefined) {}
}

/** Replaces bodies of other content types by an `UnreadBody`, so that a route that needs JSON can name the mistake. */
export function leaveOtherBodiesUnread(app: NestFastifyApplication): void {
  app.useBodyParser(USUAL_MISTAKES, {}, (request, _body, done) =>
    done(null, new UnreadBody(request.headers['content-type'])),
  );
}

/** INVALID_REQUEST that names the content type; undefined: the request has none. */
export function wrongContentType(contentType: string | undefined): ForecourtError {
  const arrived =
    contentType === undefined ? 'none' : JSON.stringify(contentType.slice(0, MAX_SHOWN_TYPE));
  return new ForecourtError(
    'INVALID_REQUEST',
    `Content-Type must be application/json; got ${arrived}`,
  );
}

/**
 * Reads a JSON body as the DTO that the handler declares. Throws INVALID_REQUEST naming each field, its bounds and its value.
 * Values are not converted; fields that the DTO does not have are dropped.
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

/**
 * Reads a query as the DTO that the handler declares, whose fields are texts. Throws INVALID_REQUEST naming each parameter,
 * what arrived and what is expected, also for a parameter that the DTO does not have: a filter that is not applied would
 * show other records than were asked for.
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
  const shown = name.length > MAX_SHOWN_NAME ? `${name.slice(0, MAX_SHOWN_NAME)}…` : name;
  return `${shown} is not one of the parameters ${known.join(', ')}; got ${describeArrived(arrived)}`;
}
