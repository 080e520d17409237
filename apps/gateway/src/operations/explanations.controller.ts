import { Controller, Get, Inject, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import { ForecourtError } from '@forecourt/contracts';
import { DIGEST_PATTERN, ExplainResponse } from '@forecourt/contracts/http';
import type { Caller } from '@forecourt/policy/tokens';
import { type Logger, LOGGER } from '@forecourt/runtime/service';
import { ErrorCodes, READERS, RequireRole } from '../access/route-declaration.js';
import { ExplanationsService, type Subject } from './explanations.service.js';
import { RequestCaller } from '../access/request-caller.js';
import { readDigest, readReservationId } from '../http/read-parameters.js';

@ApiTags('Operation')
@Controller()
export class ExplanationsController {
  constructor(
    private readonly explanations: ExplanationsService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Get('/v1/explain')
  @RequireRole(READERS)
  @ErrorCodes(
    'INVALID_REQUEST',
    'TRANSACTION_UNKNOWN',
    'POOL_REFUSED',
    'LEDGER_UNREACHABLE',
    'LEDGER_ANSWER_INVALID',
  )
  @ApiOperation({
    operationId: 'explainTransaction',
    summary: 'The state of a transaction or a reservation, and the recommended action',
    description:
      'From all its records: the reservation, the job, the ledger, and the access audit of the gateway that answers. Exactly one of `digest` and `reservation_id` is given.',
  })
  @ApiQuery({
    name: 'digest',
    required: false,
    description: 'Digest of the transaction, base58 or base64.',
    schema: { type: 'string', pattern: DIGEST_PATTERN },
  })
  @ApiQuery({
    name: 'reservation_id',
    required: false,
    schema: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
  })
  @ApiOkResponse({ description: 'The explanation.', type: ExplainResponse })
  async explainTransaction(
    @RequestCaller() { name: operator }: Caller,
    @Query() query: Readonly<Record<string, unknown>>,
  ): Promise<ExplainResponse> {
    const subject = readSubject(query);
    this.logger.info({ operator, action: 'explain', ...subject }, 'operator action');
    return { result: await this.explanations.explain(subject) };
  }
}

/** Throws INVALID_REQUEST for anything but one digest or one reservation id. */
export function readSubject(query: Readonly<Record<string, unknown>>): Subject {
  const { digest, reservation_id: reservationId } = query;
  if ((digest === undefined) === (reservationId === undefined)) {
    throw new ForecourtError('INVALID_REQUEST', 'Give exactly one of digest and reservation_id');
  }
  return digest === undefined
    ? { reservationId: readReservationId(reservationId) }
    : { digest: readDigest(digest) };
}
