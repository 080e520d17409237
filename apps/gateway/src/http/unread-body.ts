import type { NestFastifyApplication } from '@nestjs/platform-fastify';

/** The content types that curl, and `fetch` with text, send by default. */
const USUAL_MISTAKES = ['application/x-www-form-urlencoded', 'text/plain'];

/** A body that is not read, because its content type is not JSON. */
export class UnreadBody {
  constructor(readonly contentType: string | undefined) {}
}

/** Replaces bodies of other content types by an `UnreadBody`, so that a route that needs JSON can say what is wrong. */
export function leaveOtherBodiesUnread(app: NestFastifyApplication): void {
  app.useBodyParser(USUAL_MISTAKES, {}, (request, _body, done) =>
    done(null, new UnreadBody(request.headers['content-type'])),
  );
}
