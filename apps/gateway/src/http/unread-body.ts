import type { NestFastifyApplication } from '@nestjs/platform-fastify';

/** What a client sends that leaves out the content type: curl, and `fetch` with text. */
const USUAL_MISTAKES = ['application/x-www-form-urlencoded', 'text/plain'];

/** A body that is not read, because its content type is not JSON. */
export class UnreadBody {
  constructor(readonly contentType: string | undefined) {}
}

/** Takes bodies of other content types for `UnreadBody`: a route that needs JSON can then say what is wrong. */
export function leaveOtherBodiesUnread(app: NestFastifyApplication): void {
  app.useBodyParser(USUAL_MISTAKES, {}, (request, _body, done) =>
    done(null, new UnreadBody(request.headers['content-type'])),
  );
}
