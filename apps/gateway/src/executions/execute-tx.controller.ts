import { Body, Controller, HttpCode, Inject, Post, Req } from '@nestjs/common';
import {
  DEFAULT_REQUEST_TYPE,
  ExecuteTxRequest,
  type ExecuteTxResponse,
} from '@forecourt/contracts';
import { Metrics } from '@forecourt/runtime/metrics';
import { addLogFields } from '@forecourt/runtime/service';
import { passFailpoint } from '@forecourt/runtime/failpoints';
import type { FastifyRequest } from 'fastify';
import { callerOf } from '../authorization/authenticate.js';
import { ReadBody } from '../http/read-body.pipe.js';
import { EXECUTE_PARTS } from './execute-parts.token.js';
import { type ExecuteParts, executeTx } from './execute-tx.js';
import { type MeasureExecution, measureExecutions } from './measure-executions.js';

@Controller()
export class ExecuteTxController {
  private readonly measure: MeasureExecution;

  constructor(
    @Inject(EXECUTE_PARTS) private readonly parts: ExecuteParts,
    metrics: Metrics,
  ) {
    this.measure = measureExecutions(metrics);
  }

  @Post('/v1/execute_tx')
  @HttpCode(200)
  async executeTx(
    @Req() request: FastifyRequest,
    @Body(
      new ReadBody(ExecuteTxRequest, [
        ...(['reservation_id', 'tx_bytes', 'user_sig', 'requestType', 'request_type'] as const),
      ]),
    )
    body: ExecuteTxRequest,
  ): Promise<ExecuteTxResponse> {
    const execution = {
      requestId: String(request.id),
      caller: callerOf(request),
      reservationId: body.reservation_id,
      txBytes: body.tx_bytes,
      userSig: body.user_sig,
      requestType: body.requestType ?? body.request_type ?? DEFAULT_REQUEST_TYPE,
      header: (name: string) => request.headers[name]?.toString(),
    };
    addLogFields({ reservationId: execution.reservationId });
    const effects = await this.measure(() => executeTx(this.parts, execution));
    passFailpoint('gateway:before-answer');
    return { effects, error: null };
  }
}
