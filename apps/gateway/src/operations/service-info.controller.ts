import { Controller, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public, ReplicaIdentity } from '@forecourt/runtime/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ErrorCodes, RequireRole } from '../access/route-declaration.js';
import { CoinPoolClient } from '../coin-pool/coin-pool-client.js';
import { prefersToJson, varyBy } from '../http/negotiate-content.js';

const OK = { schema: { type: 'string', enum: ['OK'] }, example: 'OK' };
const VERSION = {
  description: 'Version and the first twelve digits of the build’s commit.',
  schema: { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+-[0-9a-f]{12}$' },
  example: '1.0.0-0123456789ab',
};
const BARE_TEXT = 'A JSON string; with `Accept: text/plain`, bare text.';

/** Health and version. */
@ApiTags('Service')
@Controller()
export class ServiceInfoController {
  constructor(
    private readonly identity: ReplicaIdentity,
    private readonly coinPool: CoinPoolClient,
  ) {}

  @Get('/')
  @Public()
  @ApiOperation({
    operationId: 'health',
    summary: 'Whether the gateway answers',
    description: BARE_TEXT,
  })
  @ApiOkResponse({ description: 'It does.', ...OK })
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
  @ApiOkResponse(VERSION)
  version(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.answer(request, reply, this.identity.version);
  }

  @Post('/debug_health_check')
  @HttpCode(200)
  @RequireRole('operator', { bareRefusal: true })
  @ErrorCodes(
    'NO_COINS',
    'POOL_REFUSED',
    'LEDGER_UNREACHABLE',
    'LEDGER_ANSWER_INVALID',
    'SPONSOR_DRAINED',
  )
  @ApiOperation({
    operationId: 'debugHealthCheck',
    summary: 'Check the whole path without spending anything',
    description:
      'Reserves coins of every sponsor, signs with its key, asks the ledger, and releases the coins.',
  })
  @ApiOkResponse({ description: 'All of it works.', ...OK })
  async debugHealthCheck(@Res() reply: FastifyReply): Promise<void> {
    await this.coinPool.checkPool();
    void reply.type('application/json').send(JSON.stringify('OK'));
  }

  private answer(request: FastifyRequest, reply: FastifyReply, text: string): void {
    varyBy(reply, 'Accept');
    if (prefersBareText(request.headers.accept)) {
      void reply.type('text/plain').send(text);
    } else {
      void reply.type('application/json').send(JSON.stringify(text));
    }
  }
}

/** Whether an Accept header lists plain text before JSON and before a wildcard. */
export function prefersBareText(accept: string | undefined): boolean {
  return prefersToJson(accept, ['text/plain', 'text/*']);
}
