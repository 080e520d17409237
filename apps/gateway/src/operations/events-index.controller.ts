import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { EventsIndexRange, EventsIndexResponse } from '@forecourt/contracts/http';
import type { Caller } from '@forecourt/policy/tokens';
import { OperatorActions } from '../access/operator-actions.js';
import { ErrorCodes, READERS, RequireRole } from '../access/route-declaration.js';
import { EventsIndexClient } from './events-index-client.js';
import { RequestCaller } from '../access/request-caller.js';

const AS_IT_IS = { description: 'The index as it is now.', type: EventsIndexResponse };

@ApiTags('Operation')
@Controller('/v1/events_index')
export class EventsIndexController {
  constructor(
    private readonly index: EventsIndexClient,
    private readonly actions: OperatorActions,
  ) {}

  @Get()
  @RequireRole(READERS)
  @ErrorCodes('EVENTS_INDEX_OFF', 'EVENTS_UNREACHABLE')
  @ApiOperation({
    operationId: 'readEventsIndex',
    summary: 'How far the index of events reaches, and what is missing in it',
    description: 'As its database has it now, with the newest checkpoint of the ledger nodes.',
  })
  @ApiOkResponse(AS_IT_IS)
  async read(): Promise<EventsIndexResponse> {
    return { result: await this.index.read() };
  }

  @Post('backfill')
  @HttpCode(200)
  @RequireRole('operator')
  @ErrorCodes(
    'EVENTS_INDEX_OFF',
    'EVENTS_UNREACHABLE',
    'LEDGER_UNREACHABLE',
    'LEDGER_ANSWER_INVALID',
  )
  @ApiOperation({
    operationId: 'backfillEventsIndex',
    summary: 'Read missing checkpoints now',
    description:
      'Holes that touch the range are tried again at once, at every node. If the range begins before the index, the index begins there from now on, with a hole up to its former beginning.',
  })
  @ApiOkResponse(AS_IT_IS)
  async backfill(
    @RequestCaller() { name: operator }: Caller,
    @Body() body: EventsIndexRange,
  ): Promise<EventsIndexResponse> {
    const result = await this.index.backfill(body);
    const scope = `checkpoints ${body.first_checkpoint} to ${body.last_checkpoint}`;
    await this.actions.record({ operator, action: 'backfill', scope, reason: '' });
    return { result };
  }
}
