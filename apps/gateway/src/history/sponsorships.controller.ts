import { Controller, Get, Param, Query, Res, UseGuards } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { ForecourtError, MAX_COUNTED } from '@forecourt/contracts';
import {
  DIGEST_PATTERN,
  SponsorshipCountQuery,
  SponsorshipCountResponse,
  SponsorshipResponse,
  SponsorshipsQuery,
  SponsorshipsResponse,
  TransactionQuery,
} from '@forecourt/contracts/http';
import { type Caller, roles } from '@forecourt/policy/tokens';
import type { FastifyReply } from 'fastify';
import { Admission, ErrorCodes, RequireRole } from '../access/route-declaration.js';
import { OutcomeWaits } from './outcome-waits.js';
import { readCursor, writeCursor } from './page-cursor.js';
import { readFilters, readLimit } from './read-filters.js';
import { RequireHistoryGuard } from './require-history.guard.js';
import { SponsorshipsService } from './sponsorships.service.js';
import { viewerOf } from './viewer-of-caller.js';
import { RequestCaller } from '../access/request-caller.js';
import { readDigest, readReservationId } from '../http/read-parameters.js';
import { clientSignal } from '../http/client-signal.js';

const ONE = { description: 'The sponsorship.', type: SponsorshipResponse };

@ApiTags('History')
@Controller('/v1')
@UseGuards(RequireHistoryGuard)
export class SponsorshipsController {
  constructor(
    private readonly sponsorships: SponsorshipsService,
    private readonly waits: OutcomeWaits,
  ) {}

  @Get('sponsorships/:reservation_id')
  @RequireRole(roles)
  @Admission('records')
  @ErrorCodes(
    'INVALID_REQUEST',
    'TRANSACTION_UNKNOWN',
    'POOL_REFUSED',
    'HISTORY_OFF',
    'HISTORY_UNREACHABLE',
  )
  @ApiOperation({
    operationId: 'getSponsorship',
    summary: 'A reservation and everything that followed from it',
    description: 'In any state. Callers see those of their token; operators and auditors all.',
  })
  @ApiParam({
    name: 'reservation_id',
    schema: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
  })
  @ApiOkResponse(ONE)
  async find(
    @RequestCaller() caller: Caller,
    @Param('reservation_id') id: string,
  ): Promise<SponsorshipResponse> {
    const reservationId = readReservationId(id);
    const result = await this.sponsorships.find({ viewer: viewerOf(caller), reservationId });
    return { result: orUnknown(result, `reservation ${reservationId}`) };
  }

  @Get('transactions/:digest')
  @RequireRole(roles)
  @Admission('wait')
  @ErrorCodes(
    'INVALID_REQUEST',
    'TRANSACTION_UNKNOWN',
    'POOL_REFUSED',
    'HISTORY_OFF',
    'HISTORY_UNREACHABLE',
  )
  @ApiOperation({
    operationId: 'getTransaction',
    summary: 'The sponsorship of a transaction, when asked for after the transaction’s end',
    description:
      'With `wait_ms`, the answer comes as soon as the transaction has ended: it was executed, or the ledger has refused it.',
  })
  @ApiParam({
    name: 'digest',
    description: 'Base58 or base64.',
    schema: { type: 'string', pattern: DIGEST_PATTERN },
  })
  @ApiOkResponse(ONE)
  async findByDigest(
    @RequestCaller() caller: Caller,
    @Param('digest') text: string,
    @Query() { wait_ms: waitMs = '0' }: TransactionQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SponsorshipResponse> {
    const digest = readDigest(text);
    const client = clientSignal(reply);
    const result = await this.waits.find(viewerOf(caller), digest, Number(waitMs), client);
    return { result: orUnknown(result, `transaction ${digest}`) };
  }

  @Get('sponsorships')
  @RequireRole(roles)
  @Admission('records')
  @ErrorCodes('INVALID_REQUEST', 'POOL_REFUSED', 'HISTORY_OFF', 'HISTORY_UNREACHABLE')
  @ApiOperation({
    operationId: 'listSponsorships',
    summary: 'Sponsorships in the order of time',
    description:
      'All given filters must match. Paging with `cursor` returns each sponsorship once, while new ones arrive.',
  })
  @ApiOkResponse({ description: 'A page.', type: SponsorshipsResponse })
  async list(
    @RequestCaller() caller: Caller,
    @Query() query: SponsorshipsQuery,
  ): Promise<SponsorshipsResponse> {
    const viewer = viewerOf(caller);
    const filters = readFilters(query);
    const { cursor, order } = query;
    const paged = { list: 'sponsorships', viewer, filters, order } as const;
    const page = await this.sponsorships.list({
      viewer,
      filters,
      limit: readLimit(query),
      ...(order !== undefined && { order }),
      ...(cursor !== undefined && { before: readCursor(paged, cursor) }),
    });
    const { data, next, missing } = page;
    const nextCursor = next === null ? null : writeCursor(paged, next);
    return { result: { data, next_cursor: nextCursor, missing } };
  }

  @Get('sponsorships/count')
  @RequireRole(roles)
  @Admission('records')
  @ErrorCodes('INVALID_REQUEST', 'POOL_REFUSED', 'HISTORY_OFF', 'HISTORY_UNREACHABLE')
  @ApiOperation({
    operationId: 'countSponsorships',
    summary: 'The number of sponsorships',
    description: `All given filters must match. Counts no further than ${MAX_COUNTED}.`,
  })
  @ApiOkResponse({ description: 'The number.', type: SponsorshipCountResponse })
  async count(
    @RequestCaller() caller: Caller,
    @Query() query: SponsorshipCountQuery,
  ): Promise<SponsorshipCountResponse> {
    const message = { viewer: viewerOf(caller), filters: readFilters(query) };
    return { result: await this.sponsorships.count(message) };
  }
}

function orUnknown<T>(found: T | null, subject: string): T {
  if (found !== null) return found;
  throw new ForecourtError('TRANSACTION_UNKNOWN', subject);
}
