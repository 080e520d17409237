import type { JsonSchema } from './json-schema.js';

/** An answer in JSON with one example. */
export function jsonAnswer(description: string, schema: JsonSchema, example: unknown): JsonSchema {
  return { description, content: { 'application/json': { schema, example } } };
}

/** A request body in JSON with one example. */
export function jsonBody(schema: JsonSchema, example: unknown): JsonSchema {
  return { required: true, content: { 'application/json': { schema, example } } };
}
