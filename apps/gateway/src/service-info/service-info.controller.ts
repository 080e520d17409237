import { Controller, Get, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CoinPoolClient } from '../coin-pool/coin-pool-client.js';
import { prefersBareText } from './prefers-bare-text.js';

export const SERVICE_INFO = Symbol('SERVICE_INFO');

export interface ServiceInfo {
  readonly version: string;
  /** Bare text to everybody. */
  readonly bareText: boolean;
}

/** Health and version. */
@Controller()
export class ServiceInfoController {
  constructor(
    @Inject(SERVICE_INFO) private readonly info: ServiceInfo,
    private readonly coinPool: CoinPoolClient,
  ) {}

  @Get('/')
  health(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.answer(request, reply, 'OK');
  }

  @Get('/version')
  version(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.answer(request, reply, this.info.version);
  }

  /** Reserves, signs, asks the ledger and gives the coin back. */
  @Post('/debug_health_check')
  @HttpCode(200)
  async debugHealthCheck(@Res() reply: FastifyReply): Promise<void> {
    await this.coinPool.checkPool();
    void reply.type('application/json').send(JSON.stringify('OK'));
  }

  private answer(request: FastifyRequest, reply: FastifyReply, text: string): void {
    if (this.info.bareText || prefersBareText(request.headers.accept)) {
      void reply.type('text/plain').send(text);
    } else {
      void reply.type('application/json').send(JSON.stringify(text));
    }
  }
}
