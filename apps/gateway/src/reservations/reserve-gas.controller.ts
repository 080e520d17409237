import { Body, Controller, HttpCode, Inject, Post, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { type ReservedGas, ReserveGasRequest, type ReserveGasResponse } from '@forecourt/contracts';
import type { Caller } from '@forecourt/policy/tokens';
import { passFailpoint } from '@forecourt/runtime/failpoints';
import { type Logger, LOGGER } from '@forecourt/runtime/service';
import type { FastifyRequest } from 'fastify';
import { AccessPolicy } from '../access/access-policy.js';
import { RequestCaller } from '../authorization/caller-of-request.js';
import { CallerLimits } from '../authorization/caller-limits.js';
import { Admission, ErrorCodes, RequireRole } from '../authorization/route-declaration.js';
import { CoinPoolClient } from '../coin-pool/coin-pool-client.js';
import { ReadBody } from '../http/read-body.pipe.js';
import { reserveGasRequest, reserveGasResponse } from '../openapi/examples.js';
import { JsonAnswer, JsonBody } from '../openapi/json.decorators.js';
import { schemaNamed } from '../openapi/json-schema.js';
import { RememberedReservations } from './remembered-reservations.js';

@ApiTags('Sponsoring')
@Controller()
export class ReserveGasController {
  constructor(
    private readonly coinPool: CoinPoolClient,
    private readonly accessPolicy: AccessPolicy,
    private readonly limits: CallerLimits,
    private readonly remembered: RememberedReservations,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Post('/v1/reserve_gas')
  @HttpCode(200)
  @RequireRole('sponsor')
  @Admission('reserve')
  @ErrorCodes('NO_COINS', 'POOL_REFUSED', 'RESERVATION_LIMIT')
  @ApiOperation({
    operationId: 'reserveGas',
    summary: 'Reserve coins for a budget and a time',
    description:
      'The application builds the transaction with `sponsor_address` as gas owner and exactly `gas_coins` as payment, and has its user sign it.',
  })
  @JsonBody(schemaNamed('ReserveGasRequest'), reserveGasRequest)
  @JsonAnswer(
    'Reserved until the time is over.',
    schemaNamed('ReserveGasResponse'),
    reserveGasResponse,
  )
  async reserveGas(
    @Req() { id: requestId }: FastifyRequest,
    @RequestCaller() caller: Caller,
    @Body(new ReadBody(ReserveGasRequest))
    { gas_budget: gasBudget, reserve_duration_secs: durationSecs }: ReserveGasRequest,
  ): Promise<ReserveGasResponse> {
    const { name } = caller;
    const subject = { caller: name, reservation: { gasBudget, durationSecs }, at: new Date() };
    this.accessPolicy.decideReservation(caller, subject, requestId);
    passFailpoint('gateway:before-reserve');
    const reserved = await this.coinPool.reserveGas({
      caller: name,
      gasBudget,
      durationSecs,
      limits: this.limits.reservationLimits(caller),
    });
    passFailpoint('gateway:after-reserve');
    const { reservationId, sponsor, coins } = reserved;
    this.remember(name, reserved, { gasBudget, durationSecs });
    this.logger.debug(
      { requestId, caller: name, reservationId, coins: coins.length },
      'gas reserved',
    );
    return {
      result: { sponsor_address: sponsor, reservation_id: reservationId, gas_coins: coins },
    };
  }

  private remember(
    caller: string,
    { reservationId, sponsor, coins, mayLeaveDust }: ReservedGas,
    asked: { readonly gasBudget: number; readonly durationSecs: number },
  ): void {
    if (mayLeaveDust === undefined) return;
    const { gasBudget, durationSecs } = asked;
    this.remembered.add(caller, {
      reservationId,
      sponsor,
      coins,
      mayLeaveDust,
      gasBudget,
      durationSecs,
      state: 'reserved',
      digest: null,
      fence: 0,
      refusal: null,
    });
  }
}
