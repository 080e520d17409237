import { randomUUID } from 'node:crypto';
import { withLogFields } from '@forecourt/runtime/service';
import type { FastifyInstance } from 'fastify';

/** Request ids that a client may choose: short ones that cannot break a log line. */
const REQUEST_ID = /^[\w.:-]{1,128}$/;

/** The id that the client has chosen, or a new one. */
export function chooseRequestId({ headers }: { headers: NodeJS.Dict<string | string[]> }): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}

/** Shows the id of each request in the lines that it logs, and in its answer. */
export function showRequestIds(server: FastifyInstance): void {
  server.addHook('preValidation', (request, _reply, done) =>
    withLogFields({ requestId: request.id }, done),
  );
  server.addHook('onSend', (request, reply, _payload, done) => {
    void reply.header('x-request-id', request.id);
    done();
  });
}
