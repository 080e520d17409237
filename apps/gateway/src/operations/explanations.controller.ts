import { Controller, Get, Inject, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import { canonicalDigest, digestInBase58, ForecourtError } from '@forecourt/contracts';
import { ExplainResponse } from '@forecourt/contracts/http';
import type { Caller } from '@forecourt/policy/tokens';
import { type Logger, LOGGER } from '@forecourt/runtime/service';
import { RequestCaller } from '../access/caller-of-request.js';
import { ErrorCodes, RequireRole } from '../access/route-declaration.js';
import { ExplanationsService, type Subject } from './explanations.service.js';

/** 32 bytes in base58, of which a pattern can only describe the length and the letters, or in base64. */
const DIGEST = '^(?:[1-9A-HJ-NP-Za-km-z]{32,44}|[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=)$';

@ApiTags('Operation')
@Controller()
export class ExplanationsController {
  constructor(
    private readonly explanations: ExplanationsService,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'info'>,
  ) {}

  @Get('/v1/explain')
  @RequireRole('operator')
  @ErrorCodes('INVALID_REQUEST', 'TRANSACTION_UNKNOWN', 'POOL_REFUSED', 'LEDGER_UNREACHABLE')
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
    schema: { type: 'string', pattern: DIGEST },
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
  return digest === undefined ? readReservationId(reservationId) : readDigest(digest);
}

function readReservationId(value: unknown): Subject {
  const reservationId = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : 0;
  if (reservationId > 0 && Number.isSafeInteger(reservationId)) return { reservationId };
  throw new ForecourtError(
    'INVALID_REQUEST',
    `reservation_id must be an integer from 1 to ${Number.MAX_SAFE_INTEGER}`,
  );
}

/** In a query, a plus sign that is not escaped reads as a blank; base64 has no blanks. */
function readDigest(value: unknown): Subject {
  const canonical = canonicalDigest(typeof value === 'string' ? value.replaceAll(' ', '+') : value);
  if (canonical !== null) return { digest: digestInBase58(canonical) };
  throw new ForecourtError('INVALID_REQUEST', 'digest must be 32 bytes in base58 or base64');
}
