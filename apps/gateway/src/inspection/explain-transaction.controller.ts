import { Controller, Get, Inject, Query } from '@nestjs/common';
import { ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import type { ExplainResponse } from '@forecourt/contracts';
import type { Caller } from '@forecourt/policy/tokens';
import { type Logger, LOGGER } from '@forecourt/runtime/service';
import { RequestCaller } from '../authorization/caller-of-request.js';
import { ErrorCodes, RequireRole } from '../authorization/route-declaration.js';
import { explainResponse } from '../openapi/inspection-examples.js';
import { JsonAnswer } from '../openapi/json.decorators.js';
import { givenDigest, schemaNamed } from '../openapi/json-schema.js';
import { ExplainTransaction } from './explain-transaction.js';
import { readSubject } from './read-subject.js';

@ApiTags('Operation')
@Controller()
export class ExplainTransactionController {
  constructor(
    private readonly explain: ExplainTransaction,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'info'>,
  ) {}

  @Get('/v1/explain')
  @RequireRole('operator')
  @ErrorCodes('INVALID_REQUEST', 'TRANSACTION_UNKNOWN', 'POOL_REFUSED', 'LEDGER_UNREACHABLE')
  @ApiOperation({
    operationId: 'explainTransaction',
    summary: 'What happened to a transaction or a reservation, and what to do',
    description:
      'From all traces of it: the reservation, the job, the ledger, and the access audit of the gateway that is asked. Exactly one of `digest` and `reservation_id` is given.',
  })
  @ApiQuery({
    name: 'digest',
    required: false,
    description: 'Digest of the transaction, base58 or base64.',
    schema: givenDigest,
  })
  @ApiQuery({
    name: 'reservation_id',
    required: false,
    schema: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
  })
  @JsonAnswer('What is known of it.', schemaNamed('ExplainResponse'), explainResponse)
  async explainTransaction(
    @RequestCaller() { name: operator }: Caller,
    @Query() query: Readonly<Record<string, unknown>>,
  ): Promise<ExplainResponse> {
    const subject = readSubject(query);
    this.logger.info({ operator, action: 'explain', ...subject }, 'operator action');
    return { result: await this.explain.run(subject) };
  }
}
