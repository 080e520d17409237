import { errorAnswers } from './error-answers.js';
import { schemas } from './schemas.js';
import { servicePaths } from './service-paths.js';
import { sponsoringPaths } from './sponsoring-paths.js';

/** The gateway's HTTP API as an OpenAPI 3.1 document. */
export function openapiDocument(version: string) {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Forecourt',
      version,
      description:
        'Pays other people’s gas. Reserve coins, have the user sign a transaction that pays with them, execute it. ' +
        'Amounts are in the ledger’s smallest unit. Every answer carries `x-request-id`; a client may choose it by the same header. ' +
        'A path that is not here is answered 404.',
    },
    tags: [{ name: 'Sponsoring' }, { name: 'Ledger events' }, { name: 'Service' }],
    paths: { ...sponsoringPaths, ...servicePaths },
    components: {
      schemas: schemas(),
      responses: { NotFound: errorAnswers(['NOT_FOUND'])['404'] },
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
    },
  };
}
