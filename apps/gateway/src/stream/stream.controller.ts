import { Controller, Get, Headers, Query, Res, UseGuards } from '@nestjs/common';
import { ApiExtraModels, ApiHeader, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  streamEvents,
  type StreamEventType,
  StreamFigures,
  StreamQuery,
} from '@forecourt/contracts/http';
import { type Caller, roles } from '@forecourt/policy/tokens';
import type { FastifyReply } from 'fastify';
import { Admission, ErrorCodes, RequireRole } from '../access/route-declaration.js';
import { readFilters } from '../history/read-filters.js';
import { RequireHistory } from '../history/require-history.guard.js';
import { LiveStreams } from './live-streams.js';
import { RequestCaller } from '../access/request-caller.js';

const EVENT_STREAM = 'text/event-stream';

@ApiTags('History')
@Controller('/v1')
@UseGuards(RequireHistory)
export class StreamController {
  constructor(private readonly streams: LiveStreams) {}

  @Get('stream')
  @RequireRole(roles)
  @Admission('stream')
  @ErrorCodes('INVALID_REQUEST', 'POOL_REFUSED', 'HISTORY_OFF')
  @ApiOperation({
    operationId: 'openStream',
    summary: 'Sponsorships, refusals and figures as they happen',
    description:
      'Server-sent events: `sponsorship` (as `GET /v1/sponsorships/{reservation_id}` shows it) in each new state, `refusal` (as in `GET /v1/refusals`), once a second `figures` (`StreamFigures`), and `gap` where changes are lost. An id without data is a heartbeat. Callers see what is theirs; operators and auditors all.',
  })
  @ApiHeader({
    name: 'last-event-id',
    required: false,
    description: 'The last id that was received: the stream goes on after it, at any gateway.',
    schema: { type: 'string', pattern: '^[\\w-]+$' },
  })
  @ApiExtraModels(StreamFigures)
  @ApiOkResponse({
    description: 'The stream.',
    content: {
      [EVENT_STREAM]: {
        schema: { type: 'string' },
        example: 'event: refusal\nid: 3qTl\ndata: {"code":"FORBIDDEN"}\n\n',
      },
    },
  })
  async open(
    @RequestCaller() caller: Caller,
    @Query() query: StreamQuery,
    @Headers('authorization') authorization: string | undefined,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { events = streamEvents.join(','), ...filters } = query;
    const types = new Set(events.split(',') as StreamEventType[]);
    const wanted = { types, filters: readFilters(filters) };
    const output = await this.streams.open({ caller, authorization, wanted, lastEventId });
    // Also of HEAD, which has no body.
    if (reply.raw.destroyed) output.destroy();
    else reply.raw.once('close', () => output.destroy());
    // With the stream the connection ends too: a gateway that stops would wait until it is no longer kept alive.
    void reply.headers({
      'cache-control': 'no-store',
      connection: 'close',
      'x-accel-buffering': 'no',
    });
    return reply.type(EVENT_STREAM).send(output) as unknown as void;
  }
}
