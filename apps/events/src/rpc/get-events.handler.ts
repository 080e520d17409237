import { Injectable } from '@nestjs/common';
import { DEFAULT_PAGE, eventMethods, LARGEST_PAGE, readCursor } from '@forecourt/contracts';
import type { CallContext } from '@forecourt/json-rpc';
import type { CalledMethod } from '../dialects/called-method.js';
import { NodeCalls } from '../upstreams/node-calls.js';
import { Upstreams } from '../upstreams/upstreams.js';
import { PageText } from './page-text.js';
import type { RpcHandler } from './rpc-handler.js';
import { schemaNamed } from './schemas/json-schema.js';

@Injectable()
export class GetEventsHandler implements RpcHandler {
  readonly name = eventMethods.getEvents;
  readonly description = {
    summary: 'Past events that satisfy a criterion, page by page.',
    params: [
      {
        name: 'query',
        required: true,
        description: '"All", or an object with exactly one criterion',
        schema: schemaNamed('EventCriterion'),
      },
      {
        name: 'cursor',
        required: false,
        description: 'null, or the nextCursor of the previous page',
        schema: { oneOf: [schemaNamed('Cursor'), { type: 'null' }] },
      },
      {
        name: 'limit',
        required: false,
        description: `1 to ${LARGEST_PAGE}; null: ${DEFAULT_PAGE}`,
        schema: { type: ['integer', 'null'], minimum: 1, maximum: LARGEST_PAGE },
      },
      {
        name: 'ordering',
        required: false,
        description: 'false or "Ascending"; true or "Descending"',
        schema: { enum: [false, true, null, 'Ascending', 'Descending'] },
      },
    ],
    result: { name: 'page', schema: schemaNamed('EventPage') },
  };

  constructor(
    private readonly upstreams: Upstreams,
    private readonly nodeCalls: NodeCalls,
  ) {}

  /**
   * Throws -32602 naming the param, -32000 when no node responds, when none has what the page would begin with, when one has
   * left out what the dialect shows, or when the query needs too many node calls, -32009 when the client has caused too many
   * node calls, -32702 when the page is too big.
   */
  async handle(params: unknown, context: CallContext, { dialect }: CalledMethod): Promise<unknown> {
    const request = dialect.readGetEvents(params);
    const session = this.nodeCalls.openSession(context.origin, context);
    try {
      const text = new PageText();
      let { cursor, limit } = request;
      for (;;) {
        const part = { ...request, cursor, limit };
        const page = await this.upstreams.query((source) => source.getEvents(part, session));
        session.addMemory(await text.add(dialect.writePage(page)));
        if (!page.goesOn || page.nextCursor === null) return text.toJson();
        cursor = readCursor(page.nextCursor, 'nextCursor');
        limit -= page.data.length;
      }
    } finally {
      session.end();
    }
  }
}
