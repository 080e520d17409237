import { Body, Controller, HttpCode, Inject, Post, Req } from '@nestjs/common';
import { ReserveGasRequest, type ReserveGasResponse } from '@forecourt/contracts';
import { passFailpoint } from '@forecourt/runtime/failpoints';
import { type Logger, LOGGER } from '@forecourt/runtime/service';
import type { FastifyRequest } from 'fastify';
import { AccessController } from '../access/access-controller.js';
import { callerOf } from '../authorization/authenticate.js';
import { type CallerLimits, limitsOf } from '../authorization/caller-limits.js';
import { CALLER_LIMITS } from '../authorization/caller-limits.token.js';
import { CoinPoolClient } from '../coin-pool/coin-pool-client.js';
import { ReadBody } from '../http/read-body.pipe.js';

@Controller()
export class ReserveGasController {
  constructor(
    private readonly coinPool: CoinPoolClient,
    private readonly access: AccessController,
    @Inject(CALLER_LIMITS) private readonly limits: CallerLimits,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Post('/v1/reserve_gas')
  @HttpCode(200)
  async reserveGas(
    @Req() request: FastifyRequest,
    @Body(new ReadBody(ReserveGasRequest, ['gas_budget', 'reserve_duration_secs']))
    { gas_budget: gasBudget, reserve_duration_secs: durationSecs }: ReserveGasRequest,
  ): Promise<ReserveGasResponse> {
    const caller = callerOf(request);
    const { name } = caller;
    const subject = { caller: name, reservation: { gasBudget, durationSecs }, at: new Date() };
    this.access.decideReservation(caller, subject, request.id);
    passFailpoint('gateway:before-reserve');
    const { reservationId, sponsor, coins } = await this.coinPool.reserveGas({
      caller: name,
      gasBudget,
      durationSecs,
      limits: limitsOf(caller, this.limits).reservation,
    });
    passFailpoint('gateway:after-reserve');
    this.logger.info(
      { requestId: request.id, caller: name, reservationId, coins: coins.length },
      'gas reserved',
    );
    return {
      result: { sponsor_address: sponsor, reservation_id: reservationId, gas_coins: coins },
    };
  }
}
