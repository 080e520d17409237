import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { RouteDeclaration } from '../access/route-declaration.js';
import { errorAnswers, errorCodesOf, messageOf } from './error-answers.js';
import { exampleOf, type Schema } from './example-of-schema.js';
import { undecoratedPaths, undecoratedSchemas } from './undecorated-paths.js';

const DESCRIPTION =
  'Pays other people’s gas. Reserve coins, have the user sign a transaction that pays with them, execute it. ' +
  'Amounts are in the ledger’s smallest unit. Schemas describe the form of a request; 400 also answers one that the ledger or the gas station cannot take, such as bytes that are not a transaction, a budget below the ledger’s minimum, or a sponsor that the fleet does not have. Every answer has the header `x-request-id`, which a client may choose. ' +
  `Any other path is answered with 404: ${messageOf('NOT_FOUND')}.`;

/** The service that the document describes. */
export interface DescribedService {
  readonly version: string;
  /** Absolute, or `/`: the address that the document is read from. */
  readonly publicUrl: string;
}

interface Body {
  readonly content?: Readonly<Record<string, { schema: Schema; example?: unknown }>>;
}

interface Operation {
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Body>>;
}

/**
 * The gateway's HTTP API as an OpenAPI 3.1 document, from the decorators of handlers and DTOs and the
 * declarations of `routes` (`post /rpc`).
 */
export function openapiDocument(
  app: NestFastifyApplication,
  { version, publicUrl }: DescribedService,
  routes: ReadonlyMap<string, RouteDeclaration>,
): OpenAPIObject {
  const base = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Forecourt')
    .setDescription(DESCRIPTION)
    .setVersion(version)
    .addServer(publicUrl)
    .addTag('Sponsoring')
    .addTag('Ledger events')
    .addTag('History')
    .addTag('Webhooks')
    .addTag('Operation')
    .addTag('Service')
    .addBearerAuth({ type: 'http' }, 'bearer')
    .build();
  const document = SwaggerModule.createDocument(app, base);
  const schemas = { ...document.components?.schemas, ...undecoratedSchemas };
  const paths: Record<string, Record<string, object>> = {};
  for (const [path, methods] of Object.entries({ ...document.paths, ...undecoratedPaths })) {
    for (const [method, operation] of Object.entries(methods as Record<string, Operation>)) {
      addExamples(operation, schemas as Record<string, Schema>);
      const declaration = routes.get(`${method} ${path}`) ?? {};
      (paths[path] ??= {})[method] = withDeclaration(operation, declaration);
    }
  }
  const described = {
    ...document,
    info: { ...document.info, contact: { name: 'The operator of this gas station' } },
    paths,
    components: { ...document.components, schemas },
  };
  return withIntegerFormats(described) as OpenAPIObject;
}

const INT32_MAX = 2 ** 31 - 1;

/**
 * Generators of clients take integers without a format for 32 bits wide, also in languages where ids and
 * times then overflow.
 */
function withIntegerFormats(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withIntegerFormats);
  if (typeof node !== 'object' || node === null) return node;
  const copy: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(node)) copy[name] = withIntegerFormats(value);
  const { type, format, maximum = Infinity } = node as { readonly [name: string]: unknown };
  const isInteger = [type].flat().includes('integer');
  if (!isInteger || format !== undefined) return copy;
  return { ...copy, format: Number(maximum) <= INT32_MAX ? 'int32' : 'int64' };
}

/** Gives every body in JSON an example, made of the examples of its fields. */
function addExamples(
  { requestBody, responses }: Operation,
  schemas: Readonly<Record<string, Schema>>,
): void {
  for (const body of [requestBody, ...Object.values(responses)]) {
    const media = body?.content?.['application/json'];
    if (!media || 'example' in media || 'examples' in media) continue;
    media.example = exampleOf(media.schema, schemas);
  }
}

function withDeclaration(operation: Operation, declaration: RouteDeclaration): object {
  const { access } = declaration;
  const codes = errorCodesOf(declaration, operation.requestBody !== undefined);
  const responses = { ...operation.responses, ...errorAnswers(codes) };
  // Declared even if it is empty, because a linter cannot tell a public route from a forgotten one.
  if (typeof access !== 'object') return { security: [], ...operation, responses };
  const { refusal } = access;
  if (typeof refusal === 'string') {
    const content = { 'application/json': { schema: { type: 'string' }, example: refusal } };
    Object.assign(responses, {
      '401': { description: 'The bearer token is missing or wrong.', content },
    });
  }
  return { ...operation, responses, security: [{ bearer: [] }] };
}
