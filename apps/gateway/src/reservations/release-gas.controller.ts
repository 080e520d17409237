import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForecourtError, ReleaseGasRequest, type ReleaseGasResponse } from '@forecourt/contracts';
import type { Caller } from '@forecourt/policy/tokens';
import { RequestCaller } from '../authorization/caller-of-request.js';
import { Admission, ErrorCodes, RequireRole } from '../authorization/route-declaration.js';
import { CoinPoolClient } from '../coin-pool/coin-pool-client.js';
import { ReadBody } from '../http/read-body.pipe.js';
import { releaseGasRequest, releaseGasResponse } from '../openapi/examples.js';
import { JsonAnswer, JsonBody } from '../openapi/json.decorators.js';
import { schemaNamed } from '../openapi/json-schema.js';

@ApiTags('Sponsoring')
@Controller()
export class ReleaseGasController {
  constructor(private readonly coinPool: CoinPoolClient) {}

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
    try {
      await this.coinPool.releaseReservation(message);
      return { result: { released: true } };
    } catch (error) {
      const isUnknown = error instanceof ForecourtError && error.code === 'RESERVATION_UNKNOWN';
      if (isUnknown) return { result: { released: false } };
      throw error;
    }
  }
}
