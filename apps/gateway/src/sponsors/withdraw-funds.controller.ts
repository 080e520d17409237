import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  canonicalAddress,
  type SponsorsResponse,
  type WithdrawFundsMessage,
  WithdrawRequest,
} from '@forecourt/contracts';
import type { Caller } from '@forecourt/policy/tokens';
import { RequestCaller } from '../authorization/caller-of-request.js';
import { ErrorCodes, RequireRole } from '../authorization/route-declaration.js';
import { CoinPoolClient } from '../coin-pool/coin-pool-client.js';
import { ReadBody } from '../http/read-body.pipe.js';
import { sponsorsResponse, withdrawRequest } from '../openapi/examples.js';
import { JsonAnswer, JsonBody } from '../openapi/json.decorators.js';
import { schemaNamed } from '../openapi/json-schema.js';
import { OperatorActions } from '../operator-actions/operator-actions.js';
import { scopeOfSponsor } from '../pausing/scope.js';
import { SponsorStatuses } from './sponsor-statuses.js';

@ApiTags('Operation')
@Controller()
export class WithdrawFundsController {
  constructor(
    private readonly coinPool: CoinPoolClient,
    private readonly actions: OperatorActions,
    private readonly statuses: SponsorStatuses,
  ) {}

  @Post('/v1/check_withdrawal')
  @HttpCode(200)
  @RequireRole('operator')
  @ErrorCodes('FORBIDDEN', 'SPONSOR_NOT_IDLE', 'POOL_REFUSED')
  @ApiOperation({
    operationId: 'checkWithdrawal',
    summary: 'Whether a withdrawal would be accepted now',
    description: 'Refuses what `POST /v1/withdraw` would refuse, and changes nothing.',
  })
  @JsonBody(schemaNamed('WithdrawRequest'), withdrawRequest)
  @JsonAnswer(
    'It would be; all sponsors as they are now.',
    schemaNamed('SponsorsResponse'),
    sponsorsResponse,
  )
  async check(
    @RequestCaller() { name: operator }: Caller,
    @Body(new ReadBody(WithdrawRequest))
    body: WithdrawRequest,
  ): Promise<SponsorsResponse> {
    await this.coinPool.checkWithdrawal(messageOf(body, operator));
    return this.statuses.read();
  }

  /** Money is at stake: the order is recorded before it is given, and a refusal as well. */
  @Post('/v1/withdraw')
  @HttpCode(200)
  @RequireRole('operator')
  @ErrorCodes('FORBIDDEN', 'SPONSOR_NOT_IDLE', 'POOL_REFUSED')
  @ApiOperation({
    operationId: 'withdraw',
    summary: 'Send all funds of a drained sponsor to an address',
    description:
      'The leading coin-pool sends them in one or several transactions; `withdrawal` of the sponsor shows the progress. The same call again changes nothing. The address must be another sponsor of the fleet, or one that the coin-pools are configured with.',
  })
  @JsonBody(schemaNamed('WithdrawRequest'), withdrawRequest)
  @JsonAnswer('All sponsors as they are now.', schemaNamed('SponsorsResponse'), sponsorsResponse)
  async withdraw(
    @RequestCaller() { name: operator }: Caller,
    @Body(new ReadBody(WithdrawRequest))
    body: WithdrawRequest,
  ): Promise<SponsorsResponse> {
    const message = messageOf(body, operator);
    const { sponsor, to, reason } = message;
    const scope = `${scopeOfSponsor(sponsor)} to ${to}`;
    await this.actions.record({ operator, action: 'withdraw', scope, reason });
    try {
      await this.coinPool.withdrawFunds(message);
    } catch (error) {
      const refusal = (error as Error).message;
      await this.actions.record({ operator, action: 'withdraw refused', scope, reason: refusal });
      throw error;
    }
    return this.statuses.read();
  }
}

function messageOf(
  { sponsor_address: sponsor, to_address: to, reason }: WithdrawRequest,
  operator: string,
): WithdrawFundsMessage {
  return { sponsor: canonicalAddress(sponsor)!, to: canonicalAddress(to)!, reason, operator };
}
