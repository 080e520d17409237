import { Body, Controller, HttpCode, Post, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  BuildTxRequest,
  BuildTxResponse,
  DryRunTxRequest,
  DryRunTxResponse,
} from '@forecourt/contracts/http';
import { MAX_TRANSACTION_BODY } from '@forecourt/contracts';
import { MostBodyBytes } from '@forecourt/runtime/service';
import { netGas, suggestGasBudget } from '@forecourt/ledger';
import type { Caller } from '@forecourt/policy/tokens';
import type { FastifyRequest } from 'fastify';
import type { AccessPreview } from '../access/access-preview.js';
import { Admission, ErrorCodes, RequireRole } from '../access/route-declaration.js';
import { type DryRunCall, DryRunsService } from './dry-runs.service.js';
import { RequestCaller } from '../access/request-caller.js';
import { refusedSubjectOf } from '../http/refused-subject.js';

@ApiTags('Sponsoring')
@Controller()
export class DryRunsController {
  constructor(private readonly dryRuns: DryRunsService) {}

  @Post('/v1/dry_run_tx')
  @HttpCode(200)
  @RequireRole('sponsor')
  @Admission('dry-run')
  @MostBodyBytes(MAX_TRANSACTION_BODY)
  @ErrorCodes(
    'INVALID_TRANSACTION_BYTES',
    'SENDER_IS_SPONSOR',
    'GAS_COIN_USED',
    'TRANSACTION_EXPIRED',
    'TOO_MANY_OBJECTS',
    'REFUSED_BY_LEDGER',
    'DRY_RUN_LIMIT',
    'REFUSED_TOO_OFTEN',
    'POOL_REFUSED',
    'SPONSOR_DRAINED',
    'INPUT_UNDECIDED',
    'LEDGER_UNREACHABLE',
    'LEDGER_ANSWER_INVALID',
    'PAUSED',
  )
  @ApiOperation({
    operationId: 'dryRunTx',
    summary: 'Try a transaction out',
    description:
      'Whether it would be sponsored, whether it would succeed, and what it would cost and change. Nothing is reserved, signed or spent. A hook is not asked: `sponsored.allowed` is null where one decides.',
  })
  @ApiOkResponse({ description: 'The result of the dry run.', type: DryRunTxResponse })
  async dryRunTx(
    @Req() request: FastifyRequest,
    @RequestCaller() caller: Caller,
    @Body() body: DryRunTxRequest,
  ): Promise<DryRunTxResponse> {
    const call = callOf(request, caller);
    const { transaction, preview, simulated } = await this.dryRuns.tryOut(call, body);
    const { effects, balanceChanges, objectChanges, events } = simulated;
    const { computationCost, storageCost, storageRebate } = effects.gasUsed;
    return {
      result: {
        sponsored: describePreview(preview),
        execution: {
          status: effects.status.status === 'success' ? 'success' : 'failure',
          error: effects.status.error ?? null,
        },
        gas: {
          computation_cost: computationCost,
          storage_cost: storageCost,
          storage_rebate: storageRebate,
          net_cost: String(netGas(effects)),
          suggested_budget: Number(suggestGasBudget(effects, transaction.gasPrice)),
        },
        balance_changes: balanceChanges,
        object_changes: objectChanges,
        events,
      },
    };
  }

  @Post('/v1/build_tx')
  @HttpCode(200)
  @RequireRole('sponsor')
  @Admission('dry-run')
  @MostBodyBytes(MAX_TRANSACTION_BODY)
  @ErrorCodes(
    'INVALID_TRANSACTION_BYTES',
    'SENDER_IS_SPONSOR',
    'GAS_COIN_USED',
    'RESERVED_COIN_IS_INPUT',
    'TRANSACTION_EXPIRED',
    'TOO_MANY_OBJECTS',
    'REFUSED_BY_LEDGER',
    'TRANSACTION_WOULD_FAIL',
    'DRY_RUN_LIMIT',
    'REFUSED_TOO_OFTEN',
    'RESERVATION_LIMIT',
    'SPENDING_LIMIT',
    'REQUEST_LIMIT',
    'SPONSOR_DRAINED',
    'NO_COINS',
    'POOL_REFUSED',
    'INPUT_UNDECIDED',
    'LEDGER_UNREACHABLE',
    'LEDGER_ANSWER_INVALID',
    'PAUSED',
  )
  @ApiOperation({
    operationId: 'buildTx',
    summary: 'Complete a transaction with gas',
    description:
      'Dry-runs the transaction, reserves coins for what it costs, and fills in gas owner, payment, price and budget. The user signs exactly `tx_bytes`; `execute_tx` takes them with the signature and `reservation_id`.',
  })
  @ApiOkResponse({ description: 'Ready to be signed until `expires_at`.', type: BuildTxResponse })
  async buildTx(
    @Req() request: FastifyRequest,
    @RequestCaller() caller: Caller,
    @Body() body: BuildTxRequest,
  ): Promise<BuildTxResponse> {
    const { transaction, reserved } = await this.dryRuns.build(callOf(request, caller), body);
    return {
      result: {
        tx_bytes: Buffer.from(transaction.bytes).toString('base64'),
        digest: transaction.digest,
        reservation_id: reserved.reservationId,
        gas_budget: Number(transaction.gasBudget),
        sponsor_address: reserved.sponsor,
        expires_at: reserved.deadlineMs,
      },
    };
  }
}

function callOf(request: FastifyRequest, caller: Caller): DryRunCall {
  const header = (name: string) => request.headers[name]?.toString();
  return { requestId: String(request.id), caller, refusal: refusedSubjectOf(request), header };
}

function describePreview(preview: AccessPreview): DryRunTxResponse['result']['sponsored'] {
  const { rule, refusal, undecided, limits } = preview;
  return {
    allowed: undecided === null ? refusal === null : null,
    rule,
    reason: refusal?.message ?? undecided,
    limits,
  };
}
