import { Body, Controller, HttpCode, Post, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { BuildTxRequest, BuildTxResponse } from '@forecourt/contracts/http';
import type { Caller } from '@forecourt/policy/tokens';
import type { FastifyRequest } from 'fastify';
import { RequestCaller } from '../access/caller-of-request.js';
import { Admission, ErrorCodes, RequireRole } from '../access/route-declaration.js';
import { BuildTx } from './build-tx.js';

@ApiTags('Sponsoring')
@Controller()
export class BuildTxController {
  constructor(private readonly build: BuildTx) {}

  @Post('/v1/build_tx')
  @HttpCode(200)
  @RequireRole('sponsor')
  @Admission('dry-run')
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
    'SPONSOR_DRAINED',
    'NO_COINS',
    'POOL_REFUSED',
    'INPUT_UNDECIDED',
    'LEDGER_UNREACHABLE',
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
    const { transaction, reserved } = await this.build.run(caller, body, {
      requestId: String(request.id),
      header: (name) => request.headers[name]?.toString(),
    });
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
