import { Readable } from 'node:stream';
import { Body, Controller, HttpCode, Inject, Post, Res, UseGuards } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForecourtError, MAX_RULES_BODY } from '@forecourt/contracts';
import { ReplayAccessRequest, ReplayFailure } from '@forecourt/contracts/http';
import { type Logger, LOGGER, MostBodyBytes } from '@forecourt/runtime/service';
import type { FastifyReply } from 'fastify';
import { Admission, ErrorCodes, READERS, RequireRole } from '../access/route-declaration.js';
import { RequireHistory } from '../history/require-history.guard.js';
import { AccessReplays, type ReplayEvent } from './access-replays.service.js';

const EVENT_STREAM = 'text/event-stream';

@ApiTags('Operation')
@Controller('/v1')
@UseGuards(RequireHistory)
export class AccessReplaysController {
  constructor(
    private readonly replays: AccessReplays,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Post('access/replay')
  @HttpCode(200)
  @RequireRole(READERS)
  @Admission('stream')
  @MostBodyBytes(MAX_RULES_BODY)
  @ErrorCodes(
    'INVALID_REQUEST',
    'ACCESS_RULES_INVALID',
    'REPLAY_TOO_COSTLY',
    'REPLAY_RUNNING',
    'HISTORY_OFF',
    'HISTORY_UNREACHABLE',
  )
  @ApiOperation({
    operationId: 'replayAccess',
    summary: 'Try access rules on past traffic',
    description:
      'Decides about the recorded transactions of a period by the proposed rules and by those in force. Server-sent events: `progress` (`ReplayProgress`) about once a second, and at the end `result` (`ReplayReport`) or `error` (`ReplayFailure`). A gateway runs one replay at a time; it ends when the client leaves. No hook is called, and nothing is counted.',
  })
  @ApiExtraModels(ReplayFailure)
  @ApiOkResponse({
    description: 'The events.',
    content: {
      [EVENT_STREAM]: {
        schema: { type: 'string' },
        example: 'event: progress\ndata: {"records":0,"at":1760000000000}\n\n',
      },
    },
  })
  async replay(@Body() body: ReplayAccessRequest, @Res() reply: FastifyReply): Promise<void> {
    const left = new AbortController();
    if (reply.raw.destroyed) left.abort();
    else reply.raw.once('close', () => left.abort());
    const events = this.replays.replay(body, left.signal);
    // An error until here is the answer.
    const first = await events.next();
    void reply.headers({ 'cache-control': 'no-store', 'x-accel-buffering': 'no' });
    const output = Readable.from(this.write(first, events, left.signal), { objectMode: false });
    return reply.type(EVENT_STREAM).send(output) as unknown as void;
  }

  private async *write(
    first: IteratorResult<ReplayEvent>,
    events: AsyncGenerator<ReplayEvent>,
    left: AbortSignal,
  ): AsyncGenerator<string> {
    try {
      for (let event = first; !event.done; event = await events.next()) {
        yield formatEvent(event.value.type, event.value.data);
      }
    } catch (error) {
      if (!left.aborted) yield formatEvent('error', this.describe(error));
    } finally {
      await events.return(undefined);
    }
  }

  private describe(error: unknown): ReplayFailure {
    if (error instanceof ForecourtError) return { code: error.code, error: error.message };
    this.logger.warn({ error: String(error) }, 'a replay of access rules has failed');
    const { code, message } = new ForecourtError('SHUTTING_DOWN');
    return { code, error: message };
  }
}

function formatEvent(type: string, data: object): string {
  return `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}
