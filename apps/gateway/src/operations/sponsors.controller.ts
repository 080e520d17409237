import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  CheckWithdrawalRequest,
  DrainRequest,
  ReconcileRequest,
  ReconcileResponse,
  SponsorsResponse,
  UndrainRequest,
  WithdrawAmountRequest,
  WithdrawRequest,
} from '@forecourt/contracts/http';
import type { Caller } from '@forecourt/policy/tokens';
import { ErrorCodes, READERS, RequireRole } from '../access/route-declaration.js';
import { SponsorsService } from './sponsors.service.js';
import { RequestCaller } from '../access/request-caller.js';

const ALL_SPONSORS = { description: 'All sponsors as they are now.', type: SponsorsResponse };

const WITHDRAWAL_ERRORS = [
  'FORBIDDEN',
  'SPONSOR_NOT_IDLE',
  'LOSS_NOT_EXAMINED',
  'POOL_REFUSED',
  'LEDGER_UNREACHABLE',
  'LEDGER_ANSWER_INVALID',
] as const;

@ApiTags('Operation')
@Controller('/v1')
export class SponsorsController {
  constructor(private readonly sponsors: SponsorsService) {}

  @Get('sponsors')
  @RequireRole(READERS)
  @ErrorCodes('POOL_REFUSED')
  @ApiOperation({
    operationId: 'listSponsors',
    summary: 'Every sponsor with its coins and the progress of its drain and withdrawal',
    description: 'As Redis has them now, including all that the fleet has had.',
  })
  @ApiOkResponse(ALL_SPONSORS)
  list(): Promise<SponsorsResponse> {
    return this.sponsors.list();
  }

  @Post('drain')
  @HttpCode(200)
  @RequireRole('operator')
  @ErrorCodes('POOL_REFUSED')
  @ApiOperation({
    operationId: 'drain',
    summary: 'Drain a sponsor: it gives no more reservations',
    description:
      'At once and for the whole fleet. Other sponsors take over. Open reservations may still be used, or expire; no coin is split. Draining again replaces the reason.',
  })
  @ApiOkResponse(ALL_SPONSORS)
  drain(@RequestCaller() { name }: Caller, @Body() body: DrainRequest): Promise<SponsorsResponse> {
    return this.sponsors.drain(body, name);
  }

  @Post('undrain')
  @HttpCode(200)
  @RequireRole('operator')
  @ErrorCodes('POOL_REFUSED')
  @ApiOperation({
    operationId: 'undrain',
    summary: 'End a drain: the sponsor gives reservations again',
    description:
      'A withdrawal in progress takes no more coins. A sponsor that is not drained stays as it is.',
  })
  @ApiOkResponse(ALL_SPONSORS)
  undrain(
    @RequestCaller() { name }: Caller,
    @Body() body: UndrainRequest,
  ): Promise<SponsorsResponse> {
    return this.sponsors.undrain(body, name);
  }

  @Post('reconcile')
  @HttpCode(200)
  @RequireRole('operator')
  @ErrorCodes('POOL_REFUSED', 'LEDGER_UNREACHABLE', 'LEDGER_ANSWER_INVALID')
  @ApiOperation({
    operationId: 'reconcile',
    summary: 'Compare the pool of a sponsor with the ledger now',
    description:
      'As the audit does from time to time: adopts coins that the pool lacks, corrects coins that were changed elsewhere, and counts the differences that remain. Coins in flight are not touched.',
  })
  @ApiOkResponse({ description: 'The result.', type: ReconcileResponse })
  reconcile(
    @RequestCaller() { name }: Caller,
    @Body() body: ReconcileRequest,
  ): Promise<ReconcileResponse> {
    return this.sponsors.reconcile(body, name);
  }

  @Post('check_withdrawal')
  @HttpCode(200)
  @RequireRole('operator')
  @ErrorCodes(...WITHDRAWAL_ERRORS)
  @ApiOperation({
    operationId: 'checkWithdrawal',
    summary: 'Whether a withdrawal would be accepted now',
    description:
      'Answers with the error that `POST /v1/withdraw`, or with an amount `POST /v1/withdraw_amount`, would answer with, and changes nothing.',
  })
  @ApiOkResponse(ALL_SPONSORS)
  checkWithdrawal(
    @RequestCaller() { name }: Caller,
    @Body() body: CheckWithdrawalRequest,
  ): Promise<SponsorsResponse> {
    return this.sponsors.checkWithdrawal(body, name);
  }

  @Post('withdraw')
  @HttpCode(200)
  @RequireRole('operator')
  @ErrorCodes(...WITHDRAWAL_ERRORS)
  @ApiOperation({
    operationId: 'withdraw',
    summary: 'Send all funds of a drained sponsor to an address',
    description:
      'The leading coin-pool sends them in one or several transactions; `withdrawal` of the sponsor shows the progress. The same call again changes nothing. The address must be another sponsor of the fleet, or one that the coin-pools are configured with.',
  })
  @ApiOkResponse(ALL_SPONSORS)
  withdraw(
    @RequestCaller() { name }: Caller,
    @Body() body: WithdrawRequest,
  ): Promise<SponsorsResponse> {
    return this.sponsors.withdraw(body, name);
  }

  @Post('withdraw_amount')
  @HttpCode(200)
  @RequireRole('operator')
  @ErrorCodes(...WITHDRAWAL_ERRORS)
  @ApiOperation({
    operationId: 'withdrawAmount',
    summary: 'Send an amount of a drained sponsor’s funds to an address',
    description:
      'As `POST /v1/withdraw`, but exactly the amount arrives. The same call again changes nothing: an amount is sent to an address once, unless another `request_id` orders it again.',
  })
  @ApiOkResponse(ALL_SPONSORS)
  withdrawAmount(
    @RequestCaller() { name }: Caller,
    @Body() body: WithdrawAmountRequest,
  ): Promise<SponsorsResponse> {
    return this.sponsors.withdrawAmount(body, name);
  }
}
