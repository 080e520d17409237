import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { RouteDeclaration } from '../authorization/route-declaration.js';
import { errorAnswers, messageOf } from './error-answers.js';
import { errorCodesOf } from './error-codes-of.js';
import { jsonAnswer } from './json-content.js';
import type { JsonSchema } from './json-schema.js';
import { schemas } from './schemas.js';
import { undecoratedPaths } from './undecorated-paths.js';

const DESCRIPTION =
  'Pays other people’s gas. Reserve coins, have the user sign a transaction that pays with them, execute it. ' +
  'Amounts are in the ledger’s smallest unit. Schemas describe the form of a request; 400 also answers one that the ledger or the fleet cannot take, such as bytes that are no transaction, a budget below the ledger’s minimum, or a sponsor that the fleet does not have. Every answer has the header `x-request-id`, which a client may choose. ' +
  `Any other path is answered with 404: ${messageOf('NOT_FOUND')}.`;

/** The service that the document describes. */
export interface DescribedService {
  readonly version: string;
  /** Absolute, or `/`: wherever the document is read. */
  readonly publicUrl: string;
}

/** What a route declares, by its method in lower case and its path: `post /rpc`. */
export type DeclaredRoutes = ReadonlyMap<string, RouteDeclaration>;

interface Operation {
  readonly requestBody?: unknown;
  readonly responses: JsonSchema;
}

/** The gateway's HTTP API as an OpenAPI 3.1 document, from the handlers' decorators and what their routes declare. */
export function openapiDocument(
  app: NestFastifyApplication,
  { version, publicUrl }: DescribedService,
  routes: DeclaredRoutes,
): OpenAPIObject {
  const base = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Forecourt')
    .setDescription(DESCRIPTION)
    .setVersion(version)
    .addServer(publicUrl)
    .addTag('Sponsoring')
    .addTag('Ledger events')
    .addTag('Operation')
    .addTag('Service')
    .build();
  const document = SwaggerModule.createDocument(app, base);
  const decorated = document.paths as Record<string, Record<string, Operation>>;
  const paths: Record<string, JsonSchema> = {};
  for (const [path, methods] of Object.entries({ ...decorated, ...undecoratedPaths })) {
    const described = Object.entries(methods).map(([method, operation]) => {
      const declaration = routes.get(`${method} ${path}`) ?? {};
      return [method, withDeclaration(operation, declaration)];
    });
    paths[path] = Object.fromEntries(described) as JsonSchema;
  }
  return {
    ...document,
    info: { ...document.info, contact: { name: 'The operator of this gas station' } },
    paths,
    components: {
      schemas: schemas(),
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
    },
  } as unknown as OpenAPIObject;
}

function withDeclaration(operation: Operation, declaration: RouteDeclaration): JsonSchema {
  const { access } = declaration;
  const codes = errorCodesOf(declaration, operation.requestBody !== undefined);
  const responses = { ...operation.responses, ...errorAnswers(codes) };
  // Declared even where there is none: a linter cannot tell a public route from one that was forgotten.
  if (typeof access !== 'object') return { security: [], ...operation, responses };
  const { refusal } = access;
  if (typeof refusal === 'string') {
    responses['401'] = jsonAnswer(
      'The bearer token is missing or wrong.',
      { type: 'string' },
      refusal,
    );
  }
  return { ...operation, responses, security: [{ bearer: [] }] };
}
