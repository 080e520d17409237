import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  canonicalAddress,
  DrainRequest,
  type SponsorsResponse,
  UndrainRequest,
} from '@forecourt/contracts';
import type { Caller } from '@forecourt/policy/tokens';
import { RequestCaller } from '../authorization/caller-of-request.js';
import { ErrorCodes, RequireRole } from '../authorization/route-declaration.js';
import { CoinPoolClient } from '../coin-pool/coin-pool-client.js';
import { ReadBody } from '../http/read-body.pipe.js';
import { drainRequest, sponsorsResponse, undrainRequest } from '../openapi/examples.js';
import { JsonAnswer, JsonBody } from '../openapi/json.decorators.js';
import { schemaNamed } from '../openapi/json-schema.js';
import { OperatorActions } from '../operator-actions/operator-actions.js';
import { scopeOfSponsor } from '../pausing/scope.js';
import { SponsorStatuses } from './sponsor-statuses.js';

const ALL_SPONSORS = 'All sponsors as they are now.';

@ApiTags('Operation')
@Controller()
export class DrainSponsorController {
  constructor(
    private readonly coinPool: CoinPoolClient,
    private readonly actions: OperatorActions,
    private readonly statuses: SponsorStatuses,
  ) {}

  @Post('/v1/drain')
  @HttpCode(200)
  @RequireRole('operator')
  @ErrorCodes('POOL_REFUSED')
  @ApiOperation({
    operationId: 'drain',
    summary: 'Drain a sponsor: it gives no more reservations',
    description:
      'At once and for the whole fleet. Other sponsors take over. What is reserved may still be executed, or expires; no coin is split. Draining again replaces the reason.',
  })
  @JsonBody(schemaNamed('DrainRequest'), drainRequest)
  @JsonAnswer(ALL_SPONSORS, schemaNamed('SponsorsResponse'), sponsorsResponse)
  async drain(
    @RequestCaller() { name: operator }: Caller,
    @Body(new ReadBody(DrainRequest))
    body: DrainRequest,
  ): Promise<SponsorsResponse> {
    const sponsor = canonicalAddress(body.sponsor_address)!;
    const { reason } = body;
    await this.coinPool.drainSponsor({ sponsor, reason, operator });
    await this.actions.record({
      operator,
      action: 'drain',
      scope: scopeOfSponsor(sponsor),
      reason,
    });
    return this.statuses.read();
  }

  @Post('/v1/undrain')
  @HttpCode(200)
  @RequireRole('operator')
  @ErrorCodes('POOL_REFUSED')
  @ApiOperation({
    operationId: 'undrain',
    summary: 'End a drain: the sponsor gives reservations again',
    description:
      'A withdrawal in progress takes no more coins. A sponsor that is not drained stays as it is.',
  })
  @JsonBody(schemaNamed('UndrainRequest'), undrainRequest)
  @JsonAnswer(ALL_SPONSORS, schemaNamed('SponsorsResponse'), sponsorsResponse)
  async undrain(
    @RequestCaller() { name: operator }: Caller,
    @Body(new ReadBody(UndrainRequest))
    body: UndrainRequest,
  ): Promise<SponsorsResponse> {
    const sponsor = canonicalAddress(body.sponsor_address)!;
    await this.coinPool.undrainSponsor({ sponsor });
    const scope = scopeOfSponsor(sponsor);
    await this.actions.record({ operator, action: 'undrain', scope, reason: '' });
    return this.statuses.read();
  }
}
