import { Body, Controller, HttpCode, Post, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  ReleaseGasRequest,
  ReleaseGasResponse,
  ReserveGasRequest,
  ReserveGasResponse,
} from '@forecourt/contracts/http';
import { MAX_RESERVATION_BODY } from '@forecourt/contracts';
import { MostBodyBytes } from '@forecourt/runtime/service';
import type { Caller } from '@forecourt/policy/tokens';
import type { FastifyRequest } from 'fastify';
import { Admission, ErrorCodes, RequireRole } from '../access/route-declaration.js';
import { readSponsor, ReservationsService } from './reservations.service.js';
import { RequestCaller } from '../access/request-caller.js';
import { refusedSubjectOf } from '../http/refused-subject.js';

@ApiTags('Sponsoring')
@Controller()
export class ReservationsController {
  constructor(private readonly reservations: ReservationsService) {}

  @Post('/v1/reserve_gas')
  @HttpCode(200)
  @RequireRole('sponsor')
  @Admission('reserve')
  @MostBodyBytes(MAX_RESERVATION_BODY)
  @ErrorCodes(
    'NO_COINS',
    'POOL_REFUSED',
    'RESERVATION_LIMIT',
    'PAUSED',
    'SIGNER_UNREACHABLE',
    'SPONSOR_DRAINED',
  )
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
    const gasRequest = {
      gasBudget: body.gas_budget,
      durationSecs: body.reserve_duration_secs,
      sponsor: readSponsor(body.sponsor_address),
    };
    const refusal = refusedSubjectOf(request);
    const call = { requestId: String(request.id), caller, refusal };
    const reserved = await this.reservations.reserve(call, gasRequest);
    const { reservationId, sponsor, coins } = reserved;
    return {
      result: { sponsor_address: sponsor, reservation_id: reservationId, gas_coins: coins },
    };
  }

  @Post('/v1/release_gas')
  @HttpCode(200)
  @RequireRole('sponsor')
  @Admission('reserve')
  @MostBodyBytes(MAX_RESERVATION_BODY)
  @ErrorCodes('POOL_REFUSED')
  @ApiOperation({
    operationId: 'releaseGas',
    summary: 'Release an unused reservation',
    description:
      'Its coins are available to others at once. The same call again, and one for a reservation that is used, over or unknown, returns `released: false`.',
  })
  @ApiOkResponse({
    description: 'Whether this call has released the coins.',
    type: ReleaseGasResponse,
  })
  async releaseGas(
    @RequestCaller() caller: Caller,
    @Body() body: ReleaseGasRequest,
  ): Promise<ReleaseGasResponse> {
    const message = { caller: caller.name, reservationId: body.reservation_id };
    return { result: { released: await this.reservations.release(message) } };
  }
}
