import { Body, Controller, HttpCode, Post, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  ReleaseGasRequest,
  type ReleaseGasResponse,
  ReserveGasRequest,
  type ReserveGasResponse,
} from '@forecourt/contracts';
import type { Caller } from '@forecourt/policy/tokens';
import type { FastifyRequest } from 'fastify';
import { RequestCaller } from '../authorization/caller-of-request.js';
import { Admission, ErrorCodes, RequireRole } from '../authorization/route-declaration.js';
import { raisedBudget } from '../compatibility/dialect-reader.js';
import { ReadBody } from '../http/read-body.pipe.js';
import {
  releaseGasRequest,
  releaseGasResponse,
  reserveGasRequest,
  reserveGasResponse,
} from '../openapi/examples.js';
import { JsonAnswer, JsonBody } from '../openapi/json.decorators.js';
import { schemaNamed } from '../openapi/json-schema.js';
import { readSponsor, ReservationsService } from './reservations.service.js';

@ApiTags('Sponsoring')
@Controller()
export class ReservationsController {
  constructor(private readonly reservations: ReservationsService) {}

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
    const asked = {
      gasBudget: raisedBudget(request) ?? body.gas_budget,
      durationSecs: body.reserve_duration_secs,
      sponsor: readSponsor(body.sponsor_address),
    };
    const reserved = await this.reservations.reserve(caller, asked, String(request.id));
    const { reservationId, sponsor, coins } = reserved;
    return {
      result: { sponsor_address: sponsor, reservation_id: reservationId, gas_coins: coins },
    };
  }

  @Post('/v1/release_gas')
  @HttpCode(200)
  @RequireRole('sponsor')
  @Admission('reserve')
  @ErrorCodes('POOL_REFUSED')
  @ApiOperation({
    operationId: 'releaseGas',
    summary: 'Release an unused reservation',
    description:
      'Its coins are available to others at once. The same call again, and one for a reservation that is used, over or unknown, returns `released: false`.',
  })
  @JsonBody(schemaNamed('ReleaseGasRequest'), releaseGasRequest)
  @JsonAnswer(
    'Whether this call has released the coins.',
    schemaNamed('ReleaseGasResponse'),
    releaseGasResponse,
  )
  async releaseGas(
    @RequestCaller() caller: Caller,
    @Body(new ReadBody(ReleaseGasRequest))
    body: ReleaseGasRequest,
  ): Promise<ReleaseGasResponse> {
    const message = { caller: caller.name, reservationId: body.reservation_id };
    return { result: { released: await this.reservations.release(message) } };
  }
}
