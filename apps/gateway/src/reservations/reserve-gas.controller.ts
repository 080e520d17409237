import { Body, Controller, HttpCode, Post, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ReserveGasRequest, ReserveGasResponse } from '@forecourt/contracts/http';
import type { Caller } from '@forecourt/policy/tokens';
import type { FastifyRequest } from 'fastify';
import { RequestCaller } from '../access/caller-of-request.js';
import { Admission, ErrorCodes, RequireRole } from '../access/route-declaration.js';
import { raisedBudget } from '../compatibility/raised-budget.js';
import { readSponsor } from './read-sponsor.js';
import { ReserveGas } from './reserve-gas.js';

@ApiTags('Sponsoring')
@Controller()
export class ReserveGasController {
  constructor(private readonly reserve: ReserveGas) {}

  @Post('/v1/reserve_gas')
  @HttpCode(200)
  @RequireRole('sponsor')
  @Admission('reserve')
  @ErrorCodes('NO_COINS', 'POOL_REFUSED', 'RESERVATION_LIMIT', 'PAUSED', 'SPONSOR_DRAINED')
  @ApiOperation({
    operationId: 'reserveGas',
    summary: 'Reserve coins for a budget and a time',
    description:
      'The application builds the transaction with `sponsor_address` as gas owner and exactly `gas_coins` as payment, and has its user sign it.',
  })
  @ApiOkResponse({ description: 'The coins are reserved for this time.', type: ReserveGasResponse })
  async reserveGas(
    @Req() request: FastifyRequest,
    @RequestCaller() caller: Caller,
    @Body() body: ReserveGasRequest,
  ): Promise<ReserveGasResponse> {
    const { reservationId, sponsor, coins } = await this.reserve.run(caller, {
      requestId: String(request.id),
      gasBudget: raisedBudget(request) ?? body.gas_budget,
      durationSecs: body.reserve_duration_secs,
      sponsor: readSponsor(body.sponsor_address),
    });
    return {
      result: { sponsor_address: sponsor, reservation_id: reservationId, gas_coins: coins },
    };
  }
}
