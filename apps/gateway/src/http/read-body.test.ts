import 'reflect-metadata';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants.js';
import { type BodyDeclaration, DEFAULT_BODY_BYTES } from '@forecourt/runtime/service';

const SOURCES = join(import.meta.dirname, '..');
/** Under which Nest keeps what its decorators say of a handler and its parameters; 3 is a body. */
const [HANDLER, PARAMETERS, BODY] = ['method', '__routeArguments__', '3:'];
const SWAGGER_FIELDS = 'swagger/apiModelPropertiesArray';
const SWAGGER_FIELD = 'swagger/apiModelProperties';

interface Schema {
  readonly type?: unknown;
  readonly enum?: readonly string[];
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly contentEncoding?: string;
}
type Class = abstract new (...args: never[]) => object;

interface Route {
  readonly name: string;
  readonly body: Class;
  readonly mostBytes: number;
}

/** A character of three bytes, which JSON may also write with six. */
const WIDE = '€';
const escaped = (json: string) => json.replaceAll('/', '\\/').replaceAll(WIDE, '\\u20ac');

/** The longest values of a field, as JSON. */
function longestOf(schema: Schema, name: string): string {
  const { type, enum: values, maximum, maxLength, pattern } = schema;
  if (values) return JSON.stringify(values.toSorted((a, b) => b.length - a.length)[0]);
  if (type === 'integer' && maximum !== undefined) return String(maximum);
  if (type === 'boolean') return 'false';
  if (typeof type === 'function') return longestBody(type as Class);
  if (schema.contentEncoding === 'base64') return `"${'/'.repeat(maxLength!)}"`;
  if (maxLength !== undefined) return `"${WIDE.repeat(maxLength)}"`;
  // An amount.
  if (pattern === '^[1-9][0-9]{0,18}$') return `"${'9'.repeat(19)}"`;
  throw new Error(`${name} has no greatest length: ${JSON.stringify(schema)}`);
}

function longestBody(dto: Class): string {
  const prototype = dto.prototype as object;
  const names = Reflect.getMetadata(SWAGGER_FIELDS, prototype) as string[];
  const fields = names.map((colonized) => {
    const name = colonized.slice(1);
    // Instead of `tx_bytes`, not beside it.
    if (name === 'kind_bytes') return `"${name}": null`;
    const schema = Reflect.getMetadata(SWAGGER_FIELD, prototype, name) as Schema;
    return `"${name}": ${longestOf(schema, `${dto.name}.${name}`)}`;
  });
  return `{ ${fields.join(', ')} }`;
}

async function findRoutes(): Promise<Route[]> {
  const routes: Route[] = [];
  for (const file of readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.controller.ts')) continue;
    const module = (await import(join(SOURCES, file))) as Record<string, Class>;
    routes.push(...Object.values(module).flatMap(routesOf));
  }
  return routes;
}

function routesOf(controller: Class): Route[] {
  const prototype = controller.prototype as Readonly<Record<string, object>> | undefined;
  return Object.getOwnPropertyNames(prototype ?? {}).flatMap((name) => {
    const handler = prototype![name]!;
    if (Reflect.getMetadata(HANDLER, handler) === undefined) return [];
    const places = (Reflect.getMetadata(PARAMETERS, controller, name) ?? {}) as object;
    const bodyKey = Object.keys(places).find((key) => key.startsWith(BODY));
    if (bodyKey === undefined) return [];
    const types = Reflect.getMetadata('design:paramtypes', prototype!, name) as Class[];
    const body = types[Number(bodyKey.split(':')[1])]!;
    const declared = Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, handler) as BodyDeclaration;
    const mostBytes = declared.mostBodyBytes ?? DEFAULT_BODY_BYTES;
    return [{ name: `${controller.name}.${name}`, body, mostBytes }];
  });
}

const routes = await findRoutes();

describe('the largest body of a route', () => {
  it('is known of every route with a body', () => {
    expect(routes.length).toBeGreaterThan(15);
  });

  it.each(routes)('holds every valid body, in each way to write it: $name', (route) => {
    const text = longestBody(route.body);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(route.mostBytes);
    expect(Buffer.byteLength(escaped(text))).toBeLessThanOrEqual(route.mostBytes);
  });
});
