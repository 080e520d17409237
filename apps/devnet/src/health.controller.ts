import { Controller, Get } from '@nestjs/common';
import { HealthCheckService, HealthIndicatorService } from '@nestjs/terminus';
import type { HealthCheckResult } from '@nestjs/terminus';
import { Engine } from './engine/engine.js';

/** `live`: the process responds. `ready`: so does the ledger. */
@Controller('health')
export class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
    private readonly engine: Engine,
  ) {}

  @Get('live')
  live(): Promise<HealthCheckResult> {
    return this.health.check([]);
  }

  @Get('ready')
  ready(): Promise<HealthCheckResult> {
    return this.health.check([
      () => {
        const checkpoint = this.engine.latestCheckpoint.sequenceNumber;
        return this.indicators.check('ledger').up({ checkpoint });
      },
    ]);
  }
}
