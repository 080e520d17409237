import { Body, Controller, HttpCode, Injectable, Post, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  DEFAULT_REQUEST_TYPE,
  ForecourtError,
  MAX_EXECUTION_BODY,
  type RequestType,
} from '@forecourt/contracts';
import { ExecuteTxRequest, ExecuteTxResponse } from '@forecourt/contracts/http';
import { InvalidTransactionBytes, LedgerUnreachable } from '@forecourt/ledger';
import { type Counter, type Histogram, Metrics, startStopwatch } from '@forecourt/runtime/metrics';
import { ledgerFailure } from '@forecourt/runtime/ledger';
import { addLogFields, MostBodyBytes } from '@forecourt/runtime/service';
import { passFailpoint } from '@forecourt/runtime/failpoints';
import type { Caller } from '@forecourt/policy/tokens';
import type { FastifyRequest } from 'fastify';
import { RequestCaller } from '../access/request-admission.js';
import { Admission, ErrorCodes, RequireRole } from '../access/route-declaration.js';
import { refusedSubjectOf } from '../http/answer-error.js';
import { ExecutionsService } from './executions.service.js';
import { LandedTransactions, partsOf } from './outcomes.js';

/** Counts how calls of execute end, and measures how long they take. */
@Injectable()
export class ExecutionMetrics {
  readonly #requests: Counter<{ outcome: string }>;
  readonly #duration: Histogram<{ outcome: 'executed' | 'failed' }>;

  constructor(metrics: Metrics) {
    this.#requests = metrics.counter({
      name: 'execute_requests_total',
      labels: ['outcome'],
      help: 'Calls of execute: executed, or the code of the error that was answered, in lower case.',
      known: [{ outcome: 'executed' }, { outcome: 'outcome_unknown' }, { outcome: 'internal' }],
    });
    this.#duration = metrics.histogram({
      name: 'execute_request_duration_seconds',
      labels: ['outcome'],
      help: 'The whole path of execute, from the request that was read to the effects or the error.',
      known: [{ outcome: 'executed' }, { outcome: 'failed' }],
    });
  }

  /** Returns the result of `execute`, and throws its error. */
  async measure<T>(execute: () => Promise<T>): Promise<T> {
    const seconds = startStopwatch();
    try {
      const result = await execute();
      this.#requests.add({ outcome: 'executed' });
      this.#duration.observe({ outcome: 'executed' }, seconds());
      return result;
    } catch (error) {
      this.#requests.add({ outcome: codeOf(error).toLowerCase() });
      this.#duration.observe({ outcome: 'failed' }, seconds());
      throw error;
    }
  }
}

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
    const asked = body.requestType ?? body.request_type ?? DEFAULT_REQUEST_TYPE;
    // The parts are read at the node that serves reads, which must show the transaction first.
    const requestType: RequestType = parts.length > 0 ? 'waitForLocalExecution' : asked;
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
    const shown = await this.landed.readParts(effects.transactionDigest, parts);
    return { effects, error: null, ...shown };
  }
}

/** The code in the table of errors. */
function codeOf(error: unknown): string {
  if (error instanceof ForecourtError) return error.code;
  if (error instanceof InvalidTransactionBytes) return 'INVALID_TRANSACTION_BYTES';
  return error instanceof LedgerUnreachable ? ledgerFailure(error).code : 'INTERNAL';
}
