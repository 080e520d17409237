import { Body, Controller, HttpCode, Post, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { DryRunTxRequest, DryRunTxResponse } from '@forecourt/contracts/http';
import { netGas, suggestGasBudget } from '@forecourt/ledger';
import type { Caller } from '@forecourt/policy/tokens';
import type { FastifyRequest } from 'fastify';
import type { AccessPreview } from '../access/access-preview.js';
import { RequestCaller } from '../access/caller-of-request.js';
import { Admission, ErrorCodes, RequireRole } from '../access/route-declaration.js';
import { DryRunTx } from './dry-run-tx.js';

@ApiTags('Sponsoring')
@Controller()
export class DryRunTxController {
  constructor(private readonly dryRun: DryRunTx) {}

  @Post('/v1/dry_run_tx')
  @HttpCode(200)
  @RequireRole('sponsor')
  @Admission('dry-run')
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
    'PAUSED',
  )
  @ApiOperation({
    operationId: 'dryRunTx',
    summary: 'Try a transaction out',
    description:
      'Whether it would be sponsored, whether it would succeed, and what it would cost and change. Nothing is reserved, signed or spent. A hook is not asked: `sponsored.allowed` is null where one decides.',
  })
  @ApiOkResponse({ description: 'What would happen to it.', type: DryRunTxResponse })
  async dryRunTx(
    @Req() request: FastifyRequest,
    @RequestCaller() caller: Caller,
    @Body() body: DryRunTxRequest,
  ): Promise<DryRunTxResponse> {
    const { transaction, preview, simulated } = await this.dryRun.run(caller, body, {
      header: (name) => request.headers[name]?.toString(),
    });
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
