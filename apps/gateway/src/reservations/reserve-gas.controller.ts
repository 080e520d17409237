import { Body, Controller, HttpCode, Post, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ReserveGasRequest, type ReserveGasResponse } from '@forecourt/contracts';
import type { Caller } from '@forecourt/policy/tokens';
import type { FastifyRequest } from 'fastify';
import { RequestCaller } from '../authorization/caller-of-request.js';
import { Admission, ErrorCodes, RequireRole } from '../authorization/route-declaration.js';
import { raisedBudget } from '../compatibility/raised-budget.js';
import { ReadBody } from '../http/read-body.pipe.js';
import { reserveGasRequest, reserveGasResponse } from '../openapi/examples.js';
import { JsonAnswer, JsonBody } from '../openapi/json.decorators.js';
import { schemaNamed } from '../openapi/json-schema.js';
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
  @JsonBody(schemaNamed('ReserveGasRequest'), reserveGasRequest)
  @JsonAnswer(
    'The coins are reserved for this time.',
    schemaNamed('ReserveGasResponse'),
    reserveGasResponse,
  )
  async reserveGas(
    @Req() request: FastifyRequest,
    @RequestCaller() caller: Caller,
    @Body(new ReadBody(ReserveGasRequest))
    body: ReserveGasRequest,
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
