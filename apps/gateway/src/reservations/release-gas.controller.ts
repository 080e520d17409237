import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForecourtError } from '@forecourt/contracts';
import { ReleaseGasRequest, ReleaseGasResponse } from '@forecourt/contracts/http';
import type { Caller } from '@forecourt/policy/tokens';
import { RequestCaller } from '../access/caller-of-request.js';
import { Admission, ErrorCodes, RequireRole } from '../access/route-declaration.js';
import { CoinPoolClient } from '../coin-pool/coin-pool-client.js';

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
  @ApiOkResponse({
    description: 'Whether this call has released the coins.',
    type: ReleaseGasResponse,
  })
  async releaseGas(
    @RequestCaller() caller: Caller,
    @Body() body: ReleaseGasRequest,
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
