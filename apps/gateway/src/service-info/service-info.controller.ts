import { Controller, Get, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public } from '@forecourt/runtime/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ErrorCodes, RequireRole } from '../authorization/route-declaration.js';
import { CoinPoolClient } from '../coin-pool/coin-pool-client.js';
import { JsonAnswer } from '../openapi/json.decorators.js';
import { prefersBareText } from './prefers-bare-text.js';
import { SERVICE_VERSION } from './service-version.token.js';

const OK = { const: 'OK' };
const VERSION = { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+-[0-9a-f]{12}$' };
const BARE_TEXT = 'A JSON string; with `Accept: text/plain`, bare text.';

/** Health and version. */
@ApiTags('Service')
@Controller()
export class ServiceInfoController {
  constructor(
    @Inject(SERVICE_VERSION) private readonly serviceVersion: string,
    private readonly coinPool: CoinPoolClient,
  ) {}

  @Get('/')
  @Public()
  @ApiOperation({
    operationId: 'health',
    summary: 'Whether the gateway answers',
    description: BARE_TEXT,
  })
  @JsonAnswer('It does.', OK, 'OK')
  health(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.answer(request, reply, 'OK');
  }

  @Get('/version')
  @Public()
  @ApiOperation({
    operationId: 'version',
    summary: 'The gateway’s version',
    description: BARE_TEXT,
  })
  @JsonAnswer(
    'Version and the first twelve digits of the build’s commit.',
    VERSION,
    '1.0.0-0123456789ab',
  )
  version(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.answer(request, reply, this.serviceVersion);
  }

  @Post('/debug_health_check')
  @HttpCode(200)
  @RequireRole('operator', { bareRefusal: true })
  @ErrorCodes('NO_COINS', 'POOL_REFUSED', 'LEDGER_UNREACHABLE', 'SPONSOR_DRAINED')
  @ApiOperation({
    operationId: 'debugHealthCheck',
    summary: 'Check the whole path without spending anything',
    description:
      'Reserves coins of every sponsor, signs with its key, asks the ledger, and releases the coins.',
  })
  @JsonAnswer('All of it works.', OK, 'OK')
  async debugHealthCheck(@Res() reply: FastifyReply): Promise<void> {
    await this.coinPool.checkPool();
    void reply.type('application/json').send(JSON.stringify('OK'));
  }

  private answer(request: FastifyRequest, reply: FastifyReply, text: string): void {
    if (prefersBareText(request.headers.accept)) {
      void reply.type('text/plain').send(text);
    } else {
      void reply.type('application/json').send(JSON.stringify(text));
    }
  }
}
