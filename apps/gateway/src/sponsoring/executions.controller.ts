import { Body, Controller, HttpCode, Post, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { DEFAULT_REQUEST_TYPE, MAX_EXECUTION_BODY, type RequestType } from '@forecourt/contracts';
import { ExecuteTxRequest, ExecuteTxResponse } from '@forecourt/contracts/http';
import { addLogFields, MostBodyBytes } from '@forecourt/runtime/service';
import { passFailpoint } from '@forecourt/runtime/failpoints';
import type { Caller } from '@forecourt/policy/tokens';
import type { FastifyRequest } from 'fastify';
import { Admission, ErrorCodes, RequireRole } from '../access/route-declaration.js';
import { ExecutionsService } from './executions.service.js';
import { RequestCaller } from '../access/request-caller.js';
import { refusedSubjectOf } from '../http/refused-subject.js';
import { ExecutionMetrics } from './execution-metrics.js';
import { LandedTransactions } from './landed-transactions.js';
import { partsOf } from './transaction-parts.js';

@ApiTags('Sponsoring')
@Controller()
export class ExecutionsController {
  constructor(
    private readonly executions: ExecutionsService,
    private readonly landed: LandedTransactions,
    private readonly metrics: ExecutionMetrics,
  ) {}

  @Post('/v1/execute_tx')
  @HttpCode(200)
  @RequireRole('sponsor')
  @Admission('execute')
  @MostBodyBytes(MAX_EXECUTION_BODY)
  @ErrorCodes(
    'INVALID_TRANSACTION_BYTES',
    'INVALID_SIGNATURE',
    'SIGNATURE_UNSUPPORTED',
    'SENDER_IS_SPONSOR',
    'GAS_OWNER_MISMATCH',
    'GAS_PAYMENT_MISMATCH',
    'GAS_BUDGET_ABOVE_RESERVED',
    'GAS_COIN_USED',
    'RESERVED_COIN_IS_INPUT',
    'TRANSACTION_EXPIRED',
    'TOO_MANY_OBJECTS',
    'GAS_PRICE_TOO_HIGH',
    'REFUSED_TOO_OFTEN',
    'RESERVATION_UNKNOWN',
    'RESERVATION_EXPIRED',
    'RESERVATION_RELEASED',
    'RESERVATION_USED',
    'REFUSED_BY_LEDGER',
    'INPUT_IN_FLIGHT',
    'QUARANTINE_LIMIT',
    'SPENDING_LIMIT',
    'REQUEST_LIMIT',
    'ACCESS_UNDECIDED',
    'INPUT_UNDECIDED',
    'OUTCOME_UNKNOWN',
    'SIGNER_UNREACHABLE',
    'LEDGER_UNREACHABLE',
    'LEDGER_ANSWER_INVALID',
    'POOL_REFUSED',
    'PAUSED',
  )
  @ApiOperation({
    operationId: 'executeTx',
    summary: 'Execute a transaction with the coins of a reservation',
    description:
      'The same call again gives the same answer: one submission, one charge. A transaction that failed on the ledger is a 200 whose `effects.status.status` is `failure`: its gas was spent.',
  })
  @ApiOkResponse({ description: 'The ledger has executed it.', type: ExecuteTxResponse })
  async execute(
    @Req() request: FastifyRequest,
    @RequestCaller() caller: Caller,
    @Body() body: ExecuteTxRequest,
  ): Promise<ExecuteTxResponse> {
    const parts = partsOf(body.options);
    const requestedType = body.requestType ?? body.request_type ?? DEFAULT_REQUEST_TYPE;
    // The parts are read at the node that serves reads, which must show the transaction first.
    const requestType: RequestType = parts.length > 0 ? 'waitForLocalExecution' : requestedType;
    const execution = {
      requestId: String(request.id),
      caller,
      refusal: refusedSubjectOf(request),
      reservationId: body.reservation_id,
      txBytes: body.tx_bytes,
      userSig: body.user_sig,
      requestType,
      header: (name: string) => request.headers[name]?.toString(),
    };
    addLogFields({ reservationId: execution.reservationId });
    const effects = await this.metrics.measure(() => this.executions.execute(execution));
    passFailpoint('gateway:before-answer');
    if (parts.length === 0) return { effects, error: null };
    const shownParts = await this.landed.readParts(effects.transactionDigest, parts);
    return { effects, error: null, ...shownParts };
  }
}
