import { Body, Controller, HttpCode, Inject, Post, Req } from '@nestjs/common';
import { ReserveGasRequest, type ReserveGasResponse } from '@forecourt/contracts';
import { type Logger, LOGGER } from '@forecourt/service-host';
import type { FastifyRequest } from 'fastify';
import { callerOf } from '../authorization/authenticate.js';
import { CoinPoolClient } from '../coin-pool/coin-pool-client.js';
import { ReadBody } from '../http/read-body.pipe.js';

@Controller()
export class ReserveGasController {
  constructor(
    private readonly coinPool: CoinPoolClient,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Post('/v1/reserve_gas')
  @HttpCode(200)
  async reserveGas(
    @Req() request: FastifyRequest,
    @Body(new ReadBody(ReserveGasRequest, ['gas_budget', 'reserve_duration_secs']))
    body: ReserveGasRequest,
  ): Promise<ReserveGasResponse> {
    const caller = callerOf(request);
    const { reservationId, sponsor, coins } = await this.coinPool.reserveGas({
      ...{ caller, gasBudget: body.gas_budget, durationSecs: body.reserve_duration_secs },
    });
    this.logger.info(
      { requestId: request.id, caller, reservationId, coins: coins.length },
      'gas reserved',
    );
    return {
      result: { sponsor_address: sponsor, reservation_id: reservationId, gas_coins: coins },
    };
  }
}
