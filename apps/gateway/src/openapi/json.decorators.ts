import { ApiBody, ApiOkResponse } from '@nestjs/swagger';
import type { JsonSchema } from './json-schema.js';

/** Documents the 200 of a handler, with one example. */
export function JsonAnswer(
  description: string,
  schema: JsonSchema,
  example: unknown,
): MethodDecorator {
  return ApiOkResponse({ description, schema, example });
}

/** Documents the body of a handler's request, with one example. */
export function JsonBody(schema: JsonSchema, example: unknown): MethodDecorator {
  return ApiBody({ schema, examples: { request: { value: example } } });
}
